#!/bin/bash
set -eu
cat > convert.sh <<'SH'
#!/bin/bash
pids=()
for file in jobs/*.in; do
  ./slow.sh "$file" > "${file%.in}.out" &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
exit $status
SH
chmod +x convert.sh
