#!/bin/bash
set -eu
find etc -name '*.conf' -exec sed -i 's/db\.old\.example/db.new.example/g' {} +
