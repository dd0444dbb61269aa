#!/bin/bash
set -eu
echo 'Hello, world!' > hello.txt
