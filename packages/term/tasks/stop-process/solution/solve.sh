#!/bin/bash
set -eu
kill "$(cat worker.pid)"
sleep 0.3
