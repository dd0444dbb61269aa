#!/bin/bash
set -eu
python3 - <<'PY' > report.csv
import sqlite3
print('name,revenue')
for name, revenue in sqlite3.connect('shop.db').execute('SELECT name, SUM(price * quantity) AS r FROM products JOIN sales ON product_id = products.id GROUP BY name ORDER BY r DESC'):
    print(f'{name},{revenue:.2f}')
PY
