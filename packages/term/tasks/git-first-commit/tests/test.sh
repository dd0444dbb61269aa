#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(git rev-parse --abbrev-ref HEAD)" = main ]
[ "$(git log -1 --format=%s)" = "First version" ]
[ "$(git ls-files | sort | tr "\n" " ")" = ".gitignore README.md app.py " ]
git check-ignore -q build.log
[ -z "$(git status --porcelain)" ]
