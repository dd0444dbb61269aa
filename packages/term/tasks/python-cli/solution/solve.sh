#!/bin/bash
set -eu
cat > primes.py <<'PY'
import sys

try:
    limit = int(sys.argv[1])
except (IndexError, ValueError):
    print("usage: primes.py N", file=sys.stderr)
    sys.exit(2)
for n in range(2, limit + 1):
    if all(n % d for d in range(2, int(n**0.5) + 1)):
        print(n)
PY
