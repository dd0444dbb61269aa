// The documentation is true: the tutorial's commands run, and the reference names every command, option and exit code.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/command-table.ts";
import type { Context } from "../src/context.ts";
import { ended, HAP, World } from "./hap.ts";

const page = (name: string) => readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), "utf8");

test("the tutorial runs as it is written", async () => {
  const world = new World();
  const blocks = [...page("tutorial.md").matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
  expect(blocks.length).toBeGreaterThan(5);
  const script = ["set -e", `hap() { '${process.execPath}' '${HAP}' "$@"; }`, ...blocks].join("\n");
  const env = { PATH: process.env.PATH, HOME: world.folder, TMPDIR: world.folder };
  const ran = await ended(spawn("bash", ["-c", script], { env, cwd: world.folder, stdio: ["pipe", "pipe", "pipe"] }));
  expect(ran.err).toBe("");
  expect(ran.code).toBe(0);
  for (const words of ["They said: Nice. Keep the tests.", "Frankfurt", "rm deletes ~/backups", "Event log integrity: OK"])
    expect(ran.out).toContain(words);
});

describe("the reference", () => {
  const text = page("cli.md");

  test.for(COMMANDS)("names hap $name and its options", async ({ name, load }) => {
    expect(text).toContain(`\`hap ${name}`);
    const command = new Command(name);
    (await load()).define(command, {} as Context);
    for (const { long, hidden } of [command, ...command.commands].flatMap(({ options }) => options))
      if (!hidden) expect(text).toContain(`\`${long}`);
  });

  test.for([0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 70, 130])("explains exit code %i", (code) => {
    expect(text).toMatch(new RegExp(`^\\| ${code} \\| `, "m"));
  });

  test("[TRUST-WORDS-1] says plainly what class open is worth", () => {
    expect(text).toMatch(/guard\s+rail there\. It stops mistakes; it proves nothing against a hostile program/);
  });

  test("[CONTENT-BIND-1] says which hashes an erasure leaves", () => {
    expect(text).toMatch(/`diff_hash`, `bytes_hash`, `presentation_hash` and `call_hash` are not salted and stay/);
  });
});
