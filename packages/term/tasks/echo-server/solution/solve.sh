#!/bin/bash
set -eu
cat > echo.py <<'PY'
import socketserver


class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write(line.upper())


socketserver.ThreadingTCPServer.allow_reuse_address = True
socketserver.ThreadingTCPServer(("127.0.0.1", 8766), Echo).serve_forever()
PY
nohup python3 echo.py > /dev/null 2>&1 &
sleep 0.3
