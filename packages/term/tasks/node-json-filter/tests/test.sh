#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
node -e 'const a = JSON.parse(require("fs").readFileSync("open.json")); require("assert").deepStrictEqual(a, [{ customer: "bo", total: 60 }, { customer: "al", total: 15 }]);'
