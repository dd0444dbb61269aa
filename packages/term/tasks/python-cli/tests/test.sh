#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(python3 primes.py 20 | tr "\n" " ")" = "2 3 5 7 11 13 17 19 " ]
[ "$(python3 primes.py 2)" = 2 ]
[ -z "$(python3 primes.py 1)" ]
for bad in "" x 1.5; do
  set +e; out=$(python3 primes.py $bad 2>err); code=$?; set -e
  [ "$code" -eq 2 ]; [ -z "$out" ]; [ -s err ]
done
