#!/bin/bash
set -eu
node -e '
const fs = require("fs");
const sums = {};
for (const o of JSON.parse(fs.readFileSync("orders.json"))) if (!o.paid) sums[o.customer] = (sums[o.customer] ?? 0) + o.total;
fs.writeFileSync("open.json", JSON.stringify(Object.entries(sums).map(([customer, total]) => ({ customer, total })).sort((a, b) => b.total - a.total)));
'
