#!/bin/bash
set -eu
mkdir -p tool-1.4.2/bin
echo 1.4.2 > tool-1.4.2/VERSION
echo tool > tool-1.4.2/bin/tool
tar -czf release.tar.gz tool-1.4.2
rm -r tool-1.4.2
