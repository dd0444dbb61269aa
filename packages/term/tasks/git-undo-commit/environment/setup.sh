#!/bin/bash
set -eu
mkdir repo && cd repo
git init -q -b main
git config user.name Task
git config user.email task@example.com
echo "safe = yes" > config
git add . && git commit -qm "Make it"
echo "safe = no" > config
git commit -qam "Break it"
