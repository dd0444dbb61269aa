// Which shares of a height were in view, as spans from 0 to 1.

export type Span = readonly [from: number, to: number];

/** The spans with one more, in order and merged where they touch. */
export function withSpan(spans: readonly Span[], added: Span): Span[] {
  const merged: [number, number][] = [];
  for (const [from, to] of [...spans, added].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1e-9) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The share that is in none of them. */
export function uncovered(spans: readonly Span[]): number {
  return Math.max(0, 1 - spans.reduce((sum, [from, to]) => sum + (to - from), 0));
}
