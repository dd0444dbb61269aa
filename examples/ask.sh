#!/usr/bin/env bash
# Ask for approval with bash and curl. Needs HAP_URL and HAP_API_KEY; team-server.sh shows how to get them.
set -euo pipefail

hap() { curl --silent --show-error --fail-with-body -H "Authorization: Bearer $HAP_API_KEY" -H 'Content-Type: application/json' "$@"; }
field() { node -p "JSON.parse(require('node:fs').readFileSync(0, 'utf8'))$1"; }

body='{"to":"'"${HAP_HUMAN_ID:-human:alex}"'","kind":"deploy","summary":"Ship 1.4","environment":"staging"}'
id=$(hap -d "$body" "$HAP_URL/v1/tickets" | field .id)
echo "waiting: $id"

# A long poll answers within a minute; ask again until the ticket has ended.
while ticket=$(hap "$HAP_URL/v1/tickets/$id?wait=55") && [ "$(field '.resolution?.outcome' <<<"$ticket")" = undefined ]; do :; done
outcome=$(field .resolution.outcome <<<"$ticket")
echo "$outcome"
[ "$outcome" = approved ]
