#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(cat culprit.txt)" = "$(git -C repo log --format=%H --grep "^Tidy up$")" ]
