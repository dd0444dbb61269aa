#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
cd repo
[ "$(git rev-list --count HEAD)" -eq 3 ]
[ "$(cat config)" = "safe = yes" ]
[ -z "$(git status --porcelain)" ]
[ "$(git log -1 --skip=1 --format=%s)" = "Break it" ]
