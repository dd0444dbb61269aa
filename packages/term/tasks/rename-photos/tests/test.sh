#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
[ "$(ls photos | sort | tr "\n" " ")" = "photo-1.jpg photo-12.jpg photo-2.jpg photo-30.jpg " ]
[ "$(cat photos/photo-12.jpg)" = "twelve" ]
[ "$(cat photos/photo-30.jpg)" = "thirty" ]
