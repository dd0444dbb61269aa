#!/bin/bash
set -eu
mkdir -p src/app src/lib docs
touch src/app/.keep src/lib/.keep docs/.keep
