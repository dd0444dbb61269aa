#!/bin/bash
sleep 0.7
grep -q fail "$1" && exit 3
tr a-z A-Z < "$1"
