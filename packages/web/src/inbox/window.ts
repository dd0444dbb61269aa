// Which part of a long list is drawn: pure arithmetic over heights, so that ten thousand rows cost as much as thirty.

/** Where each item begins, and behind them the height of all. */
export function offsetsOf(heights: readonly number[]): number[] {
  const offsets = [0];
  for (const height of heights) offsets.push((offsets.at(-1) as number) + height);
  return offsets;
}

/** The items that a view from `top` of `height` touches, `[first, end)`, with some more on both sides. */
export function windowOf(offsets: readonly number[], top: number, height: number, spare = 6): [first: number, end: number] {
  const count = offsets.length - 1;
  const first = Math.max(0, indexAt(offsets, top) - spare);
  const end = Math.min(count, indexAt(offsets, top + height) + 1 + spare);
  return [Math.min(first, count), end];
}

/** The item that covers a place. */
function indexAt(offsets: readonly number[], place: number): number {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] as number) <= place) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
