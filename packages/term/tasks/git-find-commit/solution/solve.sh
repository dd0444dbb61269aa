#!/bin/bash
set -eu
git -C repo log -S100 --format=%H -1 -- limit.txt > culprit.txt
