#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ -f worker.pid ]
[ -f worker.log ]
case "$(ps -o stat= -p "$(cat worker.pid)" || true)" in "" | Z*) ;; *) exit 1 ;; esac
kill -0 "$(cat other.pid)"
