// Quotes a piece of a command for a finding: short, on one line, with every invisible character made visible.

const LONGEST = 80;
const PLAIN = /^[ -~]*$/;

/** A piece of a command as a person may safely read it. */
export function show(text: string): string {
  if (text.length <= LONGEST && PLAIN.test(text)) return text;
  const points = Array.from(text.slice(0, LONGEST * 2));
  const cut = points.length > LONGEST || text.length > LONGEST * 2;
  const visible = points
    .slice(0, LONGEST)
    .join("")
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16) ?? ""}}`);
  return cut ? `${visible}…` : visible;
}
