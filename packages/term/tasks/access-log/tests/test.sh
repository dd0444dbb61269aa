#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(cat errors.txt)" = "$(printf "10.0.0.7\n192.168.1.9")" ]
