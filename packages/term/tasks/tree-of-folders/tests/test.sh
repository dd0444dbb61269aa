#!/bin/bash
set -eu
[ "$(find src docs -type f | sort | tr "\n" " ")" = "docs/.keep src/app/.keep src/lib/.keep " ]
[ ! -s docs/.keep ]
