#!/bin/bash
set -eu
cd repo
git checkout -q main
git merge feature > /dev/null || true
printf "apples\npears from main\nplums from feature\nquinces\n" > list.txt
git add list.txt
git commit -qm "Merge feature"
