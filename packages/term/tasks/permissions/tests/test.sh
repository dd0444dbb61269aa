#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(stat -c %a run.sh)" = 700 ]
[ "$(stat -c %a secret.txt)" = 600 ]
