#!/bin/bash
set -eu
nohup bash -c 'while :; do echo tick >> worker.log; sleep 0.2; done' > /dev/null 2>&1 &
echo $! > worker.pid
nohup sleep 600 > /dev/null 2>&1 &
echo $! > other.pid
sleep 0.3
