#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
python3 - <<'PY'
import time, urllib.request
for _ in range(10):
    try:
        body = urllib.request.urlopen("http://127.0.0.1:8765/index.html", timeout=5).read()
        break
    except OSError:
        time.sleep(0.1)
else:
    raise SystemExit("nothing answers on port 8765")
assert body == open("site/index.html", "rb").read(), body
PY
