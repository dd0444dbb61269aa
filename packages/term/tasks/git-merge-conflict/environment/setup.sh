#!/bin/bash
set -eu
mkdir repo && cd repo
git init -q -b main
git config user.name Task
git config user.email task@example.com
printf "apples\nquinces\n" > list.txt
git add . && git commit -qm base
git checkout -qb feature
printf "apples\nplums from feature\nquinces\n" > list.txt
git commit -qam feature
git checkout -q main
printf "apples\npears from main\nquinces\n" > list.txt
git commit -qam main
