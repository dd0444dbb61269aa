#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(cat hello.txt)" = "Hello, world!" ]
[ "$(wc -l < hello.txt)" -eq 1 ]
