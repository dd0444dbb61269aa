#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(find src docs -type f | sort | tr "\n" " ")" = "docs/.keep src/app/.keep src/lib/.keep " ]
[ ! -s docs/.keep ]
