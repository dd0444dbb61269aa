// Finding envelopes in any stream: however they are printed and split, among any noise, in bounded memory and linear time.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EnvelopeScanner, type Found } from "../src/index.ts";
import { changed, normative, plain } from "./examples.ts";

function scan(text: string, sizes: readonly number[] = [text.length]): Found[] {
  const scanner = new EnvelopeScanner();
  const found: Found[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    found.push(...scanner.push(text.slice(at, at + size)));
    at += size;
  }
  return [...found, ...scanner.end()];
}
const question = (value: object): Found => ({ kind: "question", value: value as Record<string, unknown>, quoted: false });
const braces = changed(plain, (copy) => {
  copy.payload.data.question_text = 'Use {"a": [1, 2}]} or "}{" or \\ here? \u00e9完 {{{';
});

describe("[QUESTION-FIND-1] an envelope is found", () => {
  it.each([
    ["on one line", JSON.stringify(plain), [plain]],
    ["over many lines", `thinking...\n${JSON.stringify(normative, null, 2)}\nwaiting`, [normative]],
    ["in a fenced block", `Here:\n\`\`\`json\n${JSON.stringify(plain, null, 4)}\n\`\`\`\n`, [plain]],
    ["several in a row", JSON.stringify(plain) + JSON.stringify(normative) + JSON.stringify(braces), [plain, normative, braces]],
    ["in a list", JSON.stringify([plain, normative]), [plain, normative]],
    ["inside another object", JSON.stringify({ log: { messages: [plain, { x: normative }] } }), [plain, normative]],
    ["with braces and quotes in its strings", `{ "noise": ${JSON.stringify(braces)} }`, [braces]],
    ["after prose with braces", `function f() { return {a: 1}; } ${JSON.stringify(plain)} }`, [plain]],
    ["after an object that breaks", `{"a": 1, ${JSON.stringify(plain)}`, [plain]],
    ["inside an object that breaks", `{"a": ${JSON.stringify(plain)}, oops`, [plain]],
    ["after a stray quote", `he said {"oops ${JSON.stringify(plain)}`, [plain]],
    ["after numbers and words that are none", `{"a":01} {"a":tru} {"a":-} ${JSON.stringify(plain)}`, [plain]],
  ])("%s", (_, text, wanted) => {
    for (const sizes of [[text.length], [1], [3, 7, 2]]) expect(scan(text, sizes)).toEqual(wanted.map(question));
  });

  it.each([
    [
      "in a line of stream-json",
      JSON.stringify({ type: "assistant", message: { content: [{ text: `Hm.\n${JSON.stringify(plain)}` }] } }),
    ],
    ["in a string in a string", JSON.stringify({ log: JSON.stringify({ text: JSON.stringify(plain) }) })],
    ["pretty and fenced in a string", JSON.stringify({ text: `\`\`\`json\n${JSON.stringify(plain, null, 2)}\n\`\`\`` })],
  ])("%s, and is marked as quoted", (_, text) => {
    for (const sizes of [[text.length], [1], [5, 11]]) expect(scan(text, sizes)).toEqual([{ ...question(plain), quoted: true }]);
  });

  it.each([
    ["in colour", `\u001b[1;32m${JSON.stringify(plain)}\u001b[0m\n`],
    ["coloured by token", JSON.stringify(plain).replaceAll('":', '"\u001b[0m:\u001b[33m').replaceAll(",", "\u001b[m,")],
    ["after a title", `\u001b]0;agent {"\u0007${JSON.stringify(plain)}`],
  ])("%s", (_, text) => {
    for (const sizes of [[text.length], [1], [3, 7, 2]]) expect(scan(text, sizes)).toEqual([question(plain)]);
  });

  it.each(['{"status": ', '{"a": {"b": [', "progress 50%", '{"a": [1, ', '{"msg": "half', "{", '{"a": 1'])(
    "at once, after the unfinished line %s",
    (before) => {
      for (const size of [10_000, 1, 7]) {
        const scanner = new EnvelopeScanner();
        const text = `${before}\n${JSON.stringify(plain)}\n`;
        const found: Found[] = [];
        for (let at = 0; at < text.length; at += size) found.push(...scanner.push(text.slice(at, at + size)));
        expect(found).toEqual([question(plain)]);
      }
    },
  );

  it("split at any place, among any noise", () => {
    const noise = fc.string({ unit: fc.constantFrom(...'ab {}[]":,\\\n1-tn'.split("")), maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(noise, { minLength: 2, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (noises, sizes) => {
          // A line break ends whatever string the noise had opened.
          const text = noises.join(`\n${JSON.stringify(braces)}\n`);
          const whole = scan(text).filter(({ kind }) => kind === "question");
          expect(scan(text, sizes).filter(({ kind }) => kind === "question")).toEqual(whole);
          expect(whole).toHaveLength(noises.length - 1);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("[QUESTION-FIND-1] no question is made", () => {
  it.each([
    ["of other intents", JSON.stringify({ ...plain, intent: "tu.open" })],
    [
      "of what an envelope of another intent carries",
      JSON.stringify({ ...plain, intent: "log.entry", payload: { data: plain } }),
    ],
    ["of noise", '{"a":[1,2,{"b":null}]} {{{ "intent" }'],
  ])("%s", (_, text) => {
    expect(scan(text)).toEqual([]);
  });

  it("of one that is broken, cut off or too long; it is reported with its id", () => {
    const text = JSON.stringify(plain);
    expect(scan(text.replace('"options":[', '"options":[,'))).toEqual([
      { kind: "broken", id: plain.id, problem: "it is not JSON" },
    ]);
    expect(scan(text.slice(0, -1))).toEqual([{ kind: "broken", id: plain.id, problem: "it is never closed" }]);
    const long = changed(plain, (copy) => {
      copy.payload.data.question_text = "x".repeat(1_100_000);
    });
    expect(scan(JSON.stringify(long), [65_536])).toMatchObject([
      { kind: "broken", id: plain.id, problem: expect.stringContaining("1000000") },
    ]);
  });
});

it("[QUESTION-BOUND-1] hostile streams take memory and time in proportion", { timeout: 120_000 }, () => {
  const hostile = ["{", '{"a":', '{"a":[', '{"', "[{", '{"a":{},', '{"\\', '{"a{":"{', '{"intent":"human.question",'];
  for (const unit of hostile) {
    const scanner = new EnvelopeScanner();
    const chunk = unit.repeat(Math.ceil(800_000 / unit.length));
    const before = process.memoryUsage().heapUsed;
    const started = process.cpuUsage();
    // Read again and again, a chunk of this size would take minutes. Time at work: others on the machine take no part in it.
    scanner.push(chunk);
    expect(process.cpuUsage(started).user / 1000, unit).toBeLessThan(20_000);
    expect(process.memoryUsage().heapUsed - before, unit).toBeLessThan(300_000_000);
    const after = [
      ...scanner.push(`\n${JSON.stringify(plain)}\n`),
      ...scanner.push(`${JSON.stringify(normative)}`),
      ...scanner.end(),
    ];
    expect(
      after.some(({ kind }) => kind === "question"),
      unit,
    ).toBe(true);
  }
});
