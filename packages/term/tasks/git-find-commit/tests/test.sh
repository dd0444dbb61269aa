#!/bin/bash
set -eu
[ "$(cat culprit.txt)" = "$(git -C repo log --format=%H --grep "^Tidy up$")" ]
