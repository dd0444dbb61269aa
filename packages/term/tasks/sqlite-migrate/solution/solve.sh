#!/bin/bash
set -eu
python3 - <<'PY'
import sqlite3
db = sqlite3.connect('shop.db')
db.executescript("ALTER TABLE products ADD COLUMN stock INTEGER NOT NULL DEFAULT 0; UPDATE products SET stock = 12 WHERE name = 'tea'; CREATE INDEX sales_by_product ON sales (product_id);")
PY
