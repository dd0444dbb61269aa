#!/bin/bash
set -eu
[ -f worker.pid ]
[ -f worker.log ]
if kill -0 "$(cat worker.pid)" 2>/dev/null; then exit 1; fi
kill -0 "$(cat other.pid)"
