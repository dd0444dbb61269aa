#!/bin/bash
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
set -eu
python3 - <<'PY'
import sqlite3
db = sqlite3.connect("shop.db")
assert db.execute("SELECT name, stock FROM products ORDER BY id").fetchall() == [("tea", 12), ("coffee", 0), ("cocoa", 0), ("maté", 0)]
(column,) = [c for c in db.execute("PRAGMA table_info(products)") if c[1] == "stock"]
assert column[2].upper() in ("INTEGER", "INT") and column[3] == 1 and column[4] == "0", column
assert [c[2] for c in db.execute("PRAGMA index_info(sales_by_product)")] == ["product_id"]
assert db.execute("SELECT COUNT(*) FROM sales").fetchone() == (5,)
PY
