#!/bin/bash
# Makes base images with mmdebstrap and gives them the names that tasks build upon, for machines that reach no image registry.
#   stand-in-images.sh ENGINE CACHE TASKS...
# Debian trixie stands in for Ubuntu and for Python 3.12 and newer, bookworm for Debian and for older Python. Every image has bash,
# curl, git, tmux, Python with pip, and uv, which tasks otherwise fetch from a host of its own. Names that nothing fits stay missing.
set -euo pipefail
engine=$1 cache=$2
shift 2
mkdir -p "$cache"

if [ ! -x "$cache/uvx" ]; then
  python3 -m pip download --quiet --no-deps uv --dest "$cache/wheel"
  python3 - "$cache" <<'PYTHON'
import glob, os, sys, zipfile
cache = sys.argv[1]
wheel = zipfile.ZipFile(glob.glob(f"{cache}/wheel/uv-*.whl")[0])
for program in ("uv", "uvx"):
    name = next(name for name in wheel.namelist() if name.endswith(f"/scripts/{program}"))
    with open(f"{cache}/{program}", "wb") as file: file.write(wheel.read(name))
    os.chmod(f"{cache}/{program}", 0o755)
PYTHON
fi

for suite in trixie bookworm; do
  [ -s "$cache/$suite.tar" ] || mmdebstrap --quiet --variant=minbase \
    --include=ca-certificates,curl,tmux,python3,python3-pip,python3-venv,procps,git \
    --customize-hook='mkdir -p "$1/app" "$1/root/.local/bin"; ln -s /usr/bin/python3 "$1/usr/local/bin/python"' \
    --customize-hook="copy-in $cache/uv $cache/uvx /usr/local/bin" \
    --customize-hook='ln -s /usr/local/bin/uv /usr/local/bin/uvx "$1/root/.local/bin/"; : > "$1/root/.local/bin/env"' \
    --customize-hook='upload /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt' \
    "$suite" "$cache/$suite.tar"
  # Certificates of this machine: its network may go through a proxy.
  bundle=/etc/ssl/certs/ca-certificates.crt
  settings=()
  for name in SSL_CERT_FILE PIP_CERT REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE; do settings+=(--change "ENV $name=$bundle"); done
  "$engine" image inspect "hap-stand-in:$suite" >/dev/null 2>&1 || "$engine" import "${settings[@]}" \
    --change 'ENV PATH=/root/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
    --change 'ENV UV_NATIVE_TLS=1' --change 'ENV PIP_BREAK_SYSTEM_PACKAGES=1' --change 'WORKDIR /app' --change 'CMD ["bash"]' \
    "$cache/$suite.tar" "hap-stand-in:$suite" >/dev/null
done

# The names after FROM, and the images of compose files.
find "$@" \( -name 'Dockerfile*' -o -name 'docker-compose.y*ml' \) -print0 |
  xargs -0 sed -nE 's/^FROM +(--platform=[^ ]+ +)?([^ @$]+).*/\2/ip; s/^ +image: *"?([^ "$]+)"?.*/\1/p' | sort -u |
  while read -r name; do
    case $name in
      *cuda* | *:) continue ;;
      *ubuntu* | *python*3[.-]1[234]* | debian:13* | debian:trixie* | debian:stable*) suite=trixie ;;
      *python*3[.-]11* | *debian*) suite=bookworm ;;
      *) continue ;;
    esac
    "$engine" tag "hap-stand-in:$suite" "$name"
    echo "$name is hap-stand-in:$suite"
  done
