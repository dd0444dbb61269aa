#!/bin/bash
set -eu
python3 - <<'PY'
import csv, json
rows = [{**row, "age": int(row["age"])} for row in csv.DictReader(open("people.csv"))]
json.dump(rows, open("people.json", "w"))
PY
