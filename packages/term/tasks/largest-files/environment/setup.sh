#!/bin/bash
set -eu
mkdir -p data/b data/c
head -c 5000 /dev/zero > data/a.bin
head -c 900 /dev/zero > data/b/mid.bin
head -c 20000 /dev/zero > data/c/big.bin
head -c 100 /dev/zero > data/b/small.bin
