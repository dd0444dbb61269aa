#!/usr/bin/env bash
# Try rules before they count: put them into a project, and ask what they say. A project's file can only tighten.
set -euo pipefail
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
mkdir "$project/.hap"
cp "$(dirname "$0")/policy.json" "$project/.hap/policy.json"
cd "$project"

hap policy check --kind deploy
hap policy check --kind run_command --environment prod --details '{"command":"psql -c \"DROP TABLE users\""}'
