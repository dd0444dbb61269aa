#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
cd repo
[ "$(git rev-parse --abbrev-ref HEAD)" = main ]
[ "$(git rev-list --parents -n 1 HEAD | wc -w)" -eq 3 ]
[ "$(cat list.txt)" = "$(printf "apples\npears from main\nplums from feature\nquinces")" ]
[ -z "$(git status --porcelain)" ]
git merge-base --is-ancestor feature main
