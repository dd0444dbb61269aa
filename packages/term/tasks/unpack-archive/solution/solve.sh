#!/bin/bash
set -eu
mkdir release
tar -xzf release.tar.gz -C release --strip-components=1
rm release.tar.gz
