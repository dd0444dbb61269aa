// Where in a command the parts stand that a finding is about, so that they can be marked there.

export type MarkedSpan = { from: number; to: number; tier: "notable" | "critical"; title: string };
export type Cause = { part: string; tier: "notable" | "critical"; title: string };

const letter = /[\p{L}\p{N}_-]/u;

/** The spans of every part, worst first where they meet; none of them overlap. */
export function findParts(command: string, causes: readonly Cause[]): MarkedSpan[] {
  const spans: MarkedSpan[] = [];
  const worst = [...causes].sort((a, b) => (a.tier === b.tier ? b.part.length - a.part.length : a.tier === "critical" ? -1 : 1));
  for (const { part, tier, title } of worst) {
    for (let at = command.indexOf(part); at !== -1; at = command.indexOf(part, at + part.length)) {
      const to = at + part.length;
      const apart = letter.test(command[at - 1] ?? " ") || (letter.test(part.at(-1) ?? "") && letter.test(command[to] ?? " "));
      const taken = spans.some((span) => at < span.to && to > span.from);
      if (!apart && !taken) spans.push({ from: at, to, tier, title });
    }
  }
  return spans.sort((a, b) => a.from - b.from);
}
