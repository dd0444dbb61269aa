#!/bin/bash
set -eu
cat > slug.mjs <<'JS'
export function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
JS
