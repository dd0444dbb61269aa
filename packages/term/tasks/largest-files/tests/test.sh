#!/bin/bash
set -eu
[ "$(cat largest.txt)" = "$(printf "data/c/big.bin\ndata/a.bin\ndata/b/mid.bin")" ]
