#!/bin/bash
set -eu
python3 - <<'PY'
import sqlite3
db = sqlite3.connect("shop.db")
db.executescript("""
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL);
CREATE TABLE sales (id INTEGER PRIMARY KEY, product_id INTEGER, quantity INTEGER);
INSERT INTO products VALUES (1, 'tea', 4.5), (2, 'coffee', 8), (3, 'cocoa', 6), (4, 'maté', 7);
INSERT INTO sales (product_id, quantity) VALUES (1, 10), (2, 3), (1, 5), (3, 20), (2, 1);
""")
PY
