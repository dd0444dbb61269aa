#!/bin/bash
set -eu
cat > interest.py <<'PY'
def grow(amount, rate, years):
    for _ in range(years):
        amount += amount * rate
    return round(amount, 2)
PY
