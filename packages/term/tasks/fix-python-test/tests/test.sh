#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
python3 -m unittest -q
[ "$(sha256sum < test_interest.py)" = "$(sha256sum < "$TEST_DIR/test_interest.py")" ]
python3 -c "from interest import grow; assert grow(200, 0.1, 3) == 266.2; assert grow(50, 0, 9) == 50"
