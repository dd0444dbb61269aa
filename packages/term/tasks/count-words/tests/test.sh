#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(cat top.txt)" = "$(printf "5 the\n3 cat\n2 and\n2 dog\n2 saw")" ]
