#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(node check.mjs)" = ok ]
node -e 'import("./slug.mjs").then(({ slug }) => { if (slug("  A--b  C! ") !== "a-b-c" || slug("***") !== "") process.exit(1); })'
[ "$(sha256sum < check.mjs)" = "$(sha256sum < "$TEST_DIR/check.mjs")" ]
