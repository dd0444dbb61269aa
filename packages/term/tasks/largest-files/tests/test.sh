#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(cat largest.txt)" = "$(printf "data/c/big.bin\ndata/a.bin\ndata/b/mid.bin")" ]
