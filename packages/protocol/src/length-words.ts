// A length of time in words that never change: `1 hour`, `2 days 4 hours`, `90 seconds` as `1 minute 30 seconds`.
const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

export function lengthWords(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds));
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  return parts.length === 0 ? "0 seconds" : parts.join(" ");
}
