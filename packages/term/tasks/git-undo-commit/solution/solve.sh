#!/bin/bash
set -eu
cd repo
git revert --no-edit HEAD > /dev/null
