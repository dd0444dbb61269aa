// The real `claude` and yume-cli have the same conversation with the same scripted model: what they tell is compared frame by
// frame and field by field. Every difference is a known one with a reason, and stands in docs/yume-claude.md.
import { beforeAll, describe, expect, it } from "vitest";
import { differencesPage } from "./support/differences-page.ts";
import { DIFFERENT_FRAMES, DIFFERENT_VALUES, type FieldDifference, ONLY_OURS, ONLY_THEIRS } from "./support/known-differences.ts";
import { type Frame, yumeCli } from "./support/place.ts";
import { claudeEnvironment, realClaude } from "./support/real-claude.ts";
import { type Conversation, converse, SCENARIOS } from "./support/scenarios.ts";
import { type Fields, fieldsOf, sequence } from "./support/shape.ts";

/** Which of these there are depends on how long things took. */
const MEASURED = /^(?:first|time|ttft)_.*_ms$/;

let theirs: Conversation;
let ours: Conversation;

beforeAll(async () => {
  [theirs, ours] = await Promise.all([
    converse({ command: realClaude(), args: [], env: claudeEnvironment }),
    converse({ command: process.execPath, args: [yumeCli], env: ({ env }) => env }),
  ]);
});

const framesOf = ({ told }: Conversation, scenario: string): Frame[] => {
  const found = told.find((one) => one.scenario === scenario)?.frames ?? [];
  expect(found).not.toEqual([]);
  return found;
};
const allFields = ({ told }: Conversation): Fields => fieldsOf(told.flatMap(({ frames }) => frames));

describe("beside the real claude, yume-cli tells", () => {
  it.each(SCENARIOS)("[YUME-CLAUDE-1] the same frames: %s", (scenario) => {
    const expected = sequence(framesOf(theirs, scenario), false).map(
      (word) => DIFFERENT_FRAMES.find((one) => one.scenario === scenario && one.theirs === word)?.ours ?? word,
    );
    expect(sequence(framesOf(ours, scenario), false)).toEqual(expected);
    expect(sequence(framesOf(ours, scenario), true)).toEqual(sequence(framesOf(theirs, scenario), true));
  });

  it("[YUME-CLAUDE-1] the same numbers, and ends with the same codes", () => {
    expect(ours.codes).toEqual(theirs.codes);
    for (const scenario of SCENARIOS)
      for (const field of ["num_turns", "total_cost_usd"] as const) {
        const [a, b] = [ours, theirs].map((told) => framesOf(told, scenario).find(({ type }) => type === "result")?.[field]);
        const known = DIFFERENT_VALUES.some((one) => one.scenario === scenario && one.field === field);
        if (known) expect([scenario, field, a]).not.toEqual([scenario, field, b]);
        else expect([scenario, field, a]).toEqual([scenario, field, b]);
      }
  });

  it("[YUME-CLAUDE-1] to the model what was said before, an interrupted answer included", () => {
    for (const { resumedWith } of [theirs, ours]) {
      expect(resumedWith).toContain("Hello there.");
      expect(resumedWith).toContain("Not on a Friday.");
      expect(resumedWith).toContain("I begin w");
    }
  });

  it("[YUME-CLAUDE-2] the same fields with the same types, but for those that are listed", () => {
    const [a, b] = [allFields(theirs), allFields(ours)];
    expect([...b.keys()].sort()).toEqual([...a.keys()].sort());
    for (const [kind, known] of b) {
      const other = a.get(kind) as Map<string, Set<string>>;
      const missing = (from: Map<string, unknown>, list: readonly FieldDifference[]) =>
        [...from.keys()].filter((name) => !list.some(({ frames, fields }) => frames.includes(kind) && fields.includes(name)));
      const unknown = missing(other, ONLY_THEIRS).filter((name) => !known.has(name) && !MEASURED.test(name));
      expect([kind, unknown]).toEqual([kind, []]);
      expect([kind, missing(known, ONLY_OURS).filter((name) => !other.has(name))]).toEqual([kind, []]);
      for (const [name, types] of known)
        if (other.has(name))
          expect([kind, name, [...(other.get(name) as Set<string>)]]).toEqual([kind, name, expect.arrayContaining([...types])]);
    }
  });

  it("[YUME-CLAUDE-2] every listed difference, which docs/yume-claude.md shows", async () => {
    const [a, b] = [allFields(theirs), allFields(ours)];
    // A field that the other program has learned meanwhile is no difference any more.
    const stale = (list: readonly FieldDifference[], other: Fields) =>
      list.flatMap(({ frames, fields }) => frames.flatMap((kind) => fields.filter((name) => other.get(kind)?.has(name))));
    expect(stale(ONLY_THEIRS, b)).toEqual([]);
    expect(stale(ONLY_OURS, a)).toEqual([]);
    for (const { scenario, theirs: word } of DIFFERENT_FRAMES)
      expect(sequence(framesOf(theirs, scenario), false)).toContain(word);
    await expect(
      differencesPage(SCENARIOS.map((scenario) => [scenario, sequence(framesOf(ours, scenario), false)])),
    ).toMatchFileSnapshot("../../../docs/yume-claude.md");
  });
});
