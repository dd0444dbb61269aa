#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(tr -d "\r" < report.csv)" = "$(printf "name,revenue\ncocoa,120.00\ntea,67.50\ncoffee,32.00")" ]
