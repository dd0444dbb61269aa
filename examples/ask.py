"""Ask for approval over HTTP, with nothing but Python's standard library.

Needs HAP_URL and HAP_API_KEY; team-server.sh shows how to get them.
"""

import json
import os
import urllib.request

URL = os.environ["HAP_URL"]
HEADERS = {"Authorization": f"Bearer {os.environ['HAP_API_KEY']}", "Content-Type": "application/json"}


def call(method: str, path: str, body: dict | None = None) -> dict:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data=data, headers=HEADERS, method=method)
    with urllib.request.urlopen(request, timeout=90) as response:
        return json.load(response)


ticket = call(
    "POST",
    "/v1/tickets",
    {
        "to": os.environ.get("HAP_HUMAN_ID", "human:alex"),
        "kind": "deploy",
        "summary": "Ship 1.4",
        "environment": "staging",
    },
)
print("waiting for", ticket["to"], ticket["id"], flush=True)

# A long poll answers within a minute; ask again until the ticket has ended.
while ticket.get("resolution") is None:
    ticket = call("GET", f"/v1/tickets/{ticket['id']}?wait=55")

resolution = ticket["resolution"]
print(resolution["outcome"], resolution.get("comment") or "")
raise SystemExit(0 if resolution["outcome"] == "approved" else 1)
