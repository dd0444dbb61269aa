#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
python3 - <<'PY'
import json
assert json.load(open("people.json")) == [
    {"name": "Ada, Countess", "age": 36, "city": "London"},
    {"name": 'Grace "Amazing" Hopper', "age": 85, "city": "Arlington"},
    {"name": "Linus", "age": 56, "city": "Portland"},
]
PY
