#!/bin/bash
set -eu
[ "$(cat hello.txt)" = "Hello, world!" ]
[ "$(wc -l < hello.txt)" -eq 1 ]
