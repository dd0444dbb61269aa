#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ -x convert.sh ]
rm -f jobs/*.out jobs/bad.in
start=$(date +%s%N)
./convert.sh
spent=$(( ($(date +%s%N) - start) / 1000000 ))
[ "$spent" -lt 2500 ]
[ "$(cat jobs/a.out jobs/b.out jobs/c.out | tr "\n" " ")" = "ALPHA BETA GAMMA " ]
echo fail > jobs/bad.in
set +e; ./convert.sh; code=$?; set -e
[ "$code" -eq 1 ]
