#!/bin/bash
set -eu
mkdir repo && cd repo
git init -q -b main
git config user.name Task
git config user.email task@example.com
for i in 1 2 3 4 5; do echo "$i" > "file$i"; [ "$i" = 2 ] && echo 100 > limit.txt; [ "$i" = 4 ] && echo 10 > limit.txt; git add .; [ "$i" = 4 ] && m="Tidy up" || m="Step $i"; git commit -qm "$m"; done
