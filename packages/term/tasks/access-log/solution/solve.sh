#!/bin/bash
set -eu
awk '$9 >= 500 {n[$1]++} END {for (a in n) if (n[a] >= 2) print a}' access.log | sort > errors.txt
