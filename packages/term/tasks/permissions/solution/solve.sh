#!/bin/bash
set -eu
chmod 700 run.sh
chmod 600 secret.txt
