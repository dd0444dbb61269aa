#!/bin/bash
set -eu
git init -q -b main
echo build.log > .gitignore
git add .gitignore app.py README.md
git -c user.name=Agent -c user.email=agent@example.com commit -qm "First version"
