#!/bin/bash
set -eu
[ "$(stat -c %a run.sh)" = 700 ]
[ "$(stat -c %a secret.txt)" = 600 ]
