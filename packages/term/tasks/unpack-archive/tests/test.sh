#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(cat release/VERSION)" = "1.4.2" ]
[ -f release/bin/tool ]
[ ! -e release.tar.gz ]
[ ! -e release/tool-1.4.2 ]
