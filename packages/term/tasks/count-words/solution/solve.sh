#!/bin/bash
set -eu
tr -cs 'A-Za-z' '\n' < text.txt | tr 'A-Z' 'a-z' | grep . | sort | uniq -c | sort -k1,1nr -k2,2 | head -5 | awk '{print $1, $2}' > top.txt
