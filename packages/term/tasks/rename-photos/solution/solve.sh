#!/bin/bash
set -eu
cd photos
for file in IMG_*.JPG; do
  number=${file#IMG_}; number=$((10#${number%.JPG}))
  mv "$file" "photo-$number.jpg"
done
