#!/bin/bash
set -eu
chmod +x slow.sh
