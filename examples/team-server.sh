#!/usr/bin/env bash
# A server, a key for an agent, and a ticket over HTTP. For a team, run `hap serve` under a user of its own (docs/server.md).
set -euo pipefail
port=${HAP_PORT:-4747}
hap serve --port "$port" --log-level error &
server=$!
trap 'kill $server' EXIT
until hap health "http://localhost:$port" >/dev/null 2>&1; do sleep 0.2; done

HAP_API_KEY=$(hap key create --agent agent:ci --expires 30d --json | node -p "JSON.parse(require('node:fs').readFileSync(0, 'utf8')).key")
export HAP_API_KEY HAP_URL="http://localhost:$port"
bash "$(dirname "$0")/ask.sh"
