// The table in docs/yume-torture.md, out of what really happened.
import { wireNames } from "../encode-turn.ts";
import type { Hazard } from "./scenario.ts";

export type Section = { title: string; hazards: Hazard[] };

/** `happened`: by `hazard|wire`. */
export function tortureTable(
  sections: Section[],
  happened: ReadonlyMap<string, string>,
  beyond: readonly [string, string][],
): string {
  const lines = [
    "# What yume-cli withstands from a provider",
    "",
    "Written by `packages/yume/test/wire/torture.test.ts` out of what happened in its run; a test fails when this page is not",
    "current (`npx vitest run packages/yume/test/wire/torture.test.ts -u` writes it). Every cell is one scenario: a real client, a real",
    "socket, a scripted server.",
    "",
    "*turn*: the whole turn, with exactly the calls that were meant. *cut off*: what was whole before a limit, never half a call.",
    "*refusal*: the text so far, no call. *error*: one `ModelError` of that kind, and nothing that looks like success. An empty",
    "cell: the format cannot show it.",
    "",
    `${happened.size + beyond.length} scenarios in all.`,
  ];
  for (const { title, hazards } of sections) {
    const wires = wireNames.filter((wire) => hazards.some(({ plays }) => plays[wire] !== undefined));
    lines.push("", `## ${title}`, "", `| hazard | ${wires.join(" | ")} |`, `|---|${wires.map(() => "---|").join("")}`);
    for (const { hazard } of hazards)
      lines.push(`| ${hazard} | ${wires.map((wire) => happened.get(`${hazard}|${wire}`) ?? "").join(" | ")} |`);
  }
  lines.push(
    "",
    "## The connection",
    "",
    "| hazard | outcome |",
    "|---|---|",
    ...beyond.map(([hazard, outcome]) => `| ${hazard} | ${outcome} |`),
  );
  return `${lines.join("\n")}\n`;
}
