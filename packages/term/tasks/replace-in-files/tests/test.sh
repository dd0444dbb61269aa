#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
grep -qx "host = db.new.example" etc/app.conf
grep -qx "backup = db.new.example:5432" etc/sub/job.conf
if grep -Frq "db.old.example" etc --include="*.conf"; then exit 1; fi
[ "$(cat etc/notes.txt)" = "we moved away from db.old.example" ]
[ "$(cat etc/sub/dbXoldXexample.conf)" = "name = dbXoldXexample" ]
