import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyCommand } from "./classify-command.ts";
import { proveCommand } from "./proof.ts";

const context = { cwd: "/home/u/p", projectRoot: "/home/u/p", home: "/home/u" };

/** Every module that a file loads, bare names included; types are gone when it runs. */
function importsOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.endsWith(".ts")) return seen;
  for (const [, target = ""] of readFileSync(file, "utf8").matchAll(/^(?:import|export|\}) (?!type).*from "([^"]+)"/gm)) {
    importsOf(target.startsWith(".") ? resolve(dirname(file), target) : target, seen);
  }
  return seen;
}

const sourceOf = (name: string) => importsOf(fileURLToPath(new URL(name, import.meta.url)));

describe("the fast path", () => {
  it("does not load the shell grammar", () => {
    expect([...sourceOf("./proof.ts")].filter((name) => !name.startsWith("/"))).toEqual([]);
  });

  it("agrees with the whole classifier", () => {
    expect(classifyCommand("git log | head", context)).toEqual(proveCommand("git log | head", context));
    expect(proveCommand("rm x", context)).toBeUndefined();
  });

  it("leaves long commands to the grammar", () => {
    expect(proveCommand(`echo ${"a".repeat(5000)}`, context)).toBeUndefined();
  });
});

describe("the package", () => {
  it("needs nothing but the grammar, so that it runs in a browser", () => {
    const files = [...sourceOf("./index.ts")];
    expect(files.filter((name) => !name.startsWith("/"))).toEqual(["unbash"]);
    for (const file of files.filter((name) => name.startsWith("/"))) {
      expect(readFileSync(file, "utf8"), file).not.toMatch(/\bprocess\.|\bDate\b|Math\.random|\bglobalThis\b|\bimport\(/);
    }
  });
});

describe("no text is proven", () => {
  const anywhere = (mark: string) =>
    fc
      .tuple(
        fc.constantFrom("ls", "cat a", "echo a", "git status", "grep a b"),
        fc.stringMatching(/^[a-z ./-]{0,8}$/),
        fc.stringMatching(/^[a-z ./-]{0,8}$/),
      )
      .map(([start, before, after]) => `${start} ${before}${mark}${after}`);

  it.each(["$", "`", "*", "?", "[", "{", "}", "(", ")", "#", "!", "\\a", "\r", "\0", "\u00a0", "\u202e", "\u2028", "é"])(
    "with a bare %j",
    (mark) => {
      fc.assert(fc.property(anywhere(mark), (command) => !classifyCommand(command, context).proven));
    },
  );

  it.each([
    " & ",
    " > ",
    " >> ",
    " >a",
    ">/etc/x",
    " | sh",
    " ; rm a",
    " && rm a",
    "\nrm a",
    " || rm a",
    " | xargs rm",
    " ~",
    " /etc",
    " ../..",
    " =ls",
  ])("with %j", (mark) => {
    fc.assert(
      fc.property(fc.constantFrom("ls", "cat a", "git log", "wc -l a"), (start) => {
        expect(classifyCommand(`${start}${mark}`, context).proven).toBe(false);
      }),
    );
  });
});
