import fc from "fast-check";
import { type AndOr, type PipelineNode, parse } from "unbash";
import { describe, expect, it } from "vitest";
import { lexPlain } from "./lex.ts";

const words = (command: string) => lexPlain(command)?.map((part) => part.words.map((word) => word.text));

describe("the small lexer", () => {
  it("splits words, quotes and lists", () => {
    expect(words("ls -la 'a b' \"c d\"")).toEqual([["ls", "-la", "a b", "c d"]]);
    expect(words("a | b && c || d; e\nf")).toEqual([["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]);
    expect(words("a 2>/dev/null >/dev/null 2>&1")).toEqual([["a"]]);
    expect(words("git diff HEAD~3 HEAD^ a=b")).toEqual([["git", "diff", "HEAD~3", "HEAD^", "a=b"]]);
    expect(words("find . \\( -name x \\)")).toEqual([["find", ".", "(", "-name", "x", ")"]]);
  });

  it("names redirections apart from words", () => {
    const of = (command: string) => lexPlain(command)?.map(({ inputs, outputs }) => [inputs, outputs]);
    expect(of("a < b > c 2>> 'd e'")).toEqual([[["b"], ["c", "d e"]]]);
    expect(of("a >b | c")).toEqual([
      [[], ["b"]],
      [[], []],
    ]);
    for (const odd of [
      "> b",
      "a >",
      "a > ; b",
      "a >| b",
      "a >& b",
      "a >> > b",
      "a 3> b",
      "a b3 3>c",
      "a <> b",
      "a <(b)",
      "a > *",
    ])
      expect(of(odd), odd).toBeUndefined();
  });

  it("marks words that a shell expands", () => {
    const kinds = (command: string) => lexPlain(command)?.[0]?.words.map(({ glob, revision }) => [glob, revision]);
    expect(kinds("ls *.ts a? '*' HEAD~1")).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ]);
    for (const odd of ["ls *'*'", "ls '*'*", "ls *\\*"]) expect(lexPlain(odd), odd).toBeUndefined();
  });

  it("knows behind which operators everything before has succeeded", () => {
    const after = (command: string) => lexPlain(command)?.map((part) => part.afterSuccess);
    expect(after("a && b && c")).toEqual([false, true, true]);
    expect(after("a || b && c")).toEqual([false, false, false]);
    expect(after("a | b && c")).toEqual([false, false, false]);
    expect(after("a || b; c && d")).toEqual([false, false, false, true]);
  });

  it.each([
    ...["", " ", "\n", ";", "| a", "a |", "a &&", "a || ", "a ;; b", "a & b", "a &", "a |& b", "a || | b", "a &&& b"],
    ...["a << b", "a <<< b", "a 3>/dev/null", "> /dev/null", "a &>/dev/null"],
    ...["$a", "a $b", `a \${b}`, "a $(b)", "a `b`", 'a "$b"', 'a "`b`"', 'a "\\$b"', 'a "!b"', "a $'b'", 'a $"b"'],
    ...["a*", "a [b]", "a {b,c}", "a ~", "a ~/b", "a =b", "a #b", "#a", "a !b", "! a", "(a)", "{ a; }"],
    ...["A=1", "A=1 b", "a\\b", "a\\ b", "a \\", "a \\b", "a 'b", 'a "b', "'a' b", '"a" b', "a''b c", "\\a b", "a/b c", "./a"],
    ...[
      "a\r",
      "a\r\nb",
      "a\0",
      "a 'b\0'",
      "a \u00a0b",
      "a '\u00a0'",
      "a '\u200b'",
      "a '\u202e'",
      "a \u2028b",
      "a é",
      "é a",
      "a '\ud800'",
    ],
  ])("refuses %j", (command) => {
    expect(lexPlain(command)).toBeUndefined();
  });

  it("reads every text that it accepts exactly as the shell grammar does", () => {
    const pieces = [
      "ls",
      "cat",
      "-la",
      "a/b",
      "'x y'",
      '"x y"',
      "\\(",
      "HEAD~3",
      "a=b",
      " ",
      "  ",
      "|",
      "&&",
      "||",
      ";",
      "\n",
      "2>&1",
      "2>/dev/null",
      "]",
      "'",
      '"',
    ];
    const piece = fc.oneof(
      fc.constantFrom(...pieces),
      fc.string({ unit: "binary-ascii", maxLength: 2 }),
      fc.string({ maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        const command = parts.join("");
        const read = words(command);
        if (read === undefined) return;
        const script = parse(command);
        expect(script.errors ?? []).toEqual([]);
        expect(script.commands.flatMap((statement) => simpleCommands(statement.command))).toEqual(read);
      }),
      { numRuns: 5000 },
    );
  });
});

/** The words of every simple command; anything but a list of plain words makes the comparison fail. */
function simpleCommands(node: PipelineNode | AndOr): string[][] {
  if (node.type === "AndOr" || node.type === "Pipeline") {
    if (node.type === "Pipeline") expect(node.prefixes).toEqual([]);
    return node.commands.flatMap(simpleCommands);
  }
  if (node.type !== "Command") throw new Error(`the lexer accepted a ${node.type}`);
  expect(node.prefix).toEqual([]);
  const all = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  return [
    all.map((word) => {
      if (word.type !== "Word") throw new Error("the lexer accepted an assignment");
      for (const part of word.parts ?? []) expect(["Literal", "SingleQuoted", "DoubleQuoted", "Glob"]).toContain(part.type);
      return word.value;
    }),
  ];
}
