#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
python3 - <<'PY'
import socket, time
def connect():
    for _ in range(10):
        try:
            return socket.create_connection(("127.0.0.1", 8766), timeout=5)
        except OSError:
            time.sleep(0.1)
    raise SystemExit("nothing answers on port 8766")
first, second = connect(), connect()
for client, word in ((second, b"two\n"), (first, b"one\n"), (second, b"three\n")):
    client.sendall(word)
    assert client.makefile("rb").readline() == word.upper()
PY
