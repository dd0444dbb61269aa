import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyCommand } from "./classify-command.ts";
import { EFFECT_NEEDS } from "./effects.ts";

const context = { cwd: "/home/u/p", projectRoot: "/home/u/p", home: "/home/u" };
const effects = (command: string) => classifyCommand(command, context).effects;

const TOKENS = [
  ...[
    "rm",
    "git",
    "curl",
    "sh",
    "-c",
    "eval",
    "find",
    "xargs",
    "sudo",
    "env",
    "cd",
    "psql",
    "python3",
    "tar",
    "sed",
    "kubectl",
    "npm",
    "ssh",
  ],
  ...[
    "a",
    "..",
    "/",
    "~",
    "-rf",
    "--",
    "{}",
    "\\;",
    "$X",
    `\${X}`,
    "$(",
    ")",
    "`",
    "'",
    '"',
    "|",
    "||",
    "&&",
    ";",
    "&",
    ">",
    "<",
    "<<E",
    "\nE\n",
  ],
  ...[
    "if",
    "then",
    "fi",
    "for",
    "in",
    "do",
    "done",
    "case",
    "esac",
    "{",
    "}",
    "(",
    "[[",
    "]]",
    "((",
    "))",
    "function",
    "f()",
    "=",
    "\\",
    "\n",
    "*",
    "#",
  ],
];

describe("classifyCommand", () => {
  it("never throws, whatever the text, and always answers in its own words", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.array(fc.constantFrom(...TOKENS), { maxLength: 30 }).map((tokens) => tokens.join(" ")),
    );
    fc.assert(
      fc.property(text, (command) => {
        const found = classifyCommand(command, context);
        for (const effect of found.effects) expect(Object.keys(EFFECT_NEEDS)).toContain(effect);
        expect(found.effects).toEqual([...new Set(found.effects)].sort());
        if (!found.proven) expect(found.findings.length).toBeGreaterThan(0);
        else for (const effect of found.effects) expect(effect).toBe("read_inside");
      }),
      { numRuns: 3000 },
    );
  });

  it("never throws, whatever the context", () => {
    const path = fc.oneof(fc.string(), fc.constantFrom("/", "", "/a/b", "relative", "~", "/a/../.."));
    fc.assert(
      fc.property(path, path, fc.option(path, { nil: undefined }), (cwd, projectRoot, home) => {
        classifyCommand("cd x && rm -rf ~/a ../b $HOME", { cwd, projectRoot, ...(home !== undefined && { home }) });
      }),
    );
  });

  it("finds a command in every disguise of a list around it", () => {
    const around = fc.constantFrom<(inner: string) => string>(
      (inner) => `ls; ${inner}`,
      (inner) => `ls && ${inner}`,
      (inner) => `ls | ${inner}`,
      (inner) => `( ${inner} )`,
      (inner) => `{ ${inner}; }`,
      (inner) => `echo $( ${inner} )`,
      (inner) => `if ls; then ${inner}; fi`,
      (inner) => `for x in a; do ${inner}; done`,
      (inner) => `while ${inner}; do ls; done`,
      (inner) => `f() { ${inner}; }`,
      (inner) => `env ${inner.startsWith("rm") ? inner : `sh -c '${inner.replaceAll("'", "'\\''")}'`}`,
      (inner) => `{ ! ( ${inner} ); }`,
      (inner) => `diff <(${inner}) a`,
      (inner) => `sh -c '${inner.replaceAll("'", "'\\''")}'`,
    );
    fc.assert(
      fc.property(fc.array(around, { minLength: 1, maxLength: 4 }), (layers) => {
        const command = layers.reduce((inner, layer) => layer(inner), "rm -rf /");
        expect(effects(command), command).toContain("delete_outside");
      }),
      { numRuns: 500 },
    );
  });

  it("is opaque beyond 64 kB", () => {
    expect(classifyCommand(`echo ${"a".repeat(65_536)}`, context)).toMatchObject({ proven: false, effects: ["opaque"] });
  });

  it("is opaque when a command is nested too deep", () => {
    expect(effects(`${"nice ".repeat(100)}rm -rf ~`)).toContain("opaque");
    expect(effects(`${"$(".repeat(5000)}ls${")".repeat(5000)}`)).toContain("opaque");
    expect(effects(`${"(".repeat(9000)}ls${")".repeat(9000)}`)).toContain("opaque");
  });

  it("is opaque when a command has too many parts", () => {
    expect(effects("a;".repeat(30_000))).toContain("opaque");
  });

  it.each([
    ["many commands", "rm $a;".repeat(10_000)],
    ["many variables as programs", Array.from({ length: 9000 }, (_, index) => `$v${index};`).join("")],
    ["one long path", `cat ${"/.git".repeat(13_000)}`],
    ["one long list of verbs", `kubectl ${"get ".repeat(16_000)}`],
    ["statements full of comments", `psql -c '${"/*".repeat(32_000)}'`],
    ["code full of calls", `python3 -c '${"urlopen(".repeat(8000)}'`],
    ["quotes", `echo ${"''".repeat(30_000)}`],
    ["substitutions side by side", "echo $(ls) ".repeat(5500)],
    ["a chain", `ls ${"&& cd a ".repeat(8000)}`],
    ["here-documents", "cat <<A\nA\n".repeat(6000)],
  ])("asks about what is long: %s", (_name, command) => {
    expect(classifyCommand(command, context).proven).toBe(false);
  });

  it.each([
    ["braces", "{".repeat(60_000)],
    ["lists in braces", `echo ${"{a,".repeat(15_000)}`],
    ["braces with escapes", "{\\ \\}".repeat(10_000)],
    ["braces around quotes", '{"}"'.repeat(15_000)],
    ["closed braces, one in the other", `echo ${"{a,".repeat(4000)}${"}".repeat(4000)}`],
    ["calculations", "$[".repeat(30_000)],
    ["calculations, far apart", "echo $[ ; ".repeat(6000)],
    ["a command in a command", `sh -c '${"{".repeat(60_000)}'`],
    ["many commands in a command", `sh -c '${"{".repeat(1500)}';`.repeat(40)],
  ])("is opaque, and says why, where %s are left open beyond what the grammar can read", (_name, command) => {
    const found = classifyCommand(command, context);
    expect(found).toMatchObject({ proven: false, effects: expect.arrayContaining(["opaque"]) });
    expect(found.findings).toContainEqual({
      effect: "opaque",
      what: expect.stringMatching(/ leaves too many braces or brackets open to be read in bounded time$/),
    });
  });

  it("reads long code and data in quotes and here-documents", () => {
    const json = JSON.stringify(Array.from({ length: 1500 }, (_, id) => ({ id, of: { deep: [{ er: {} }] } })));
    expect(json.length).toBeGreaterThan(50_000);
    expect(effects(`cat > data.json <<'E'\n${json}\nE\n`)).toEqual(["write_inside"]);
    expect(effects(`echo '${json}' > data.json`)).toEqual(["write_inside"]);
  });

  it("says a bounded number of things and forgets no effect", () => {
    const found = classifyCommand(
      `${"rm -rf ~; ls a; ".repeat(500)} ${Array.from({ length: 500 }, (_, index) => `rm f${index}`).join(";")}; sudo x`,
      context,
    );
    expect(found.findings.length).toBeLessThan(80);
    expect(found.effects).toEqual(["delete_inside", "delete_outside", "privilege", "read_inside", "unknown"]);
  });

  it("names the part of the command that has the effect", () => {
    expect(classifyCommand("ls && rm -rf ~/x", context).findings).toEqual([
      { effect: "read_inside", what: "ls reads ." },
      { effect: "delete_outside", what: "rm deletes ~/x, not below the project's root" },
    ]);
  });

  it("shows no invisible characters in its words", () => {
    const found = classifyCommand("rm '\u202e\u0000\u001b[2K' $(\u200b)", context);
    for (const { what } of found.findings) expect(what).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });
});
