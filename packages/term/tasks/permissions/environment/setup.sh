#!/bin/bash
set -eu
chmod 644 run.sh secret.txt
