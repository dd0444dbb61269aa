// Small things that a newcomer meets in the first minutes.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shortCode } from "@hap/protocol";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { COMMANDS } from "../src/command-table.ts";
import { bare, HAP, World } from "./hap.ts";
import { Tui } from "./tui.ts";

const world = new World();

test("[CLI-NEWCOMER-1] hap create without options shows its help and opens no ticket", async () => {
  expect(await world.ok(["create"])).toContain("Open a ticket");
  expect(await world.ok(["inbox"])).toContain("Nothing waits");
});

test("[CLI-NEWCOMER-1] hap version names the version, Node and the platform", async () => {
  expect(await world.ok(["version"])).toMatch(new RegExp(`^hap ${packageJson.version} \\(Node \\d+\\.\\d+\\.\\d+, `));
  expect(JSON.parse(await world.ok(["version", "--json"]))).toMatchObject({ version: packageJson.version });
});

test("[CLI-NEWCOMER-1] hap wait --json has the outcome's status at its top", async () => {
  const { id } = await world.create(["--summary", "Fix a typo"]);
  await world.ok(["reject", id, "No"]);
  const { out } = await world.run(["wait", id, "--json"]);
  expect(JSON.parse(out)).toMatchObject({ status: "rejected", id });
});

test("[CLI-EVENTS-2] hap events is a timeline on a terminal, the draft's messages in a pipe, and what is hashed with --json", async () => {
  const apart = new World();
  const { id } = await apart.create(["--summary", "Fix a typo"]);
  await apart.ok(["approve", id, "Nice"]);
  const screen = bare((await apart.atTerminal(["events"], { columns: 200 })).screen);
  const line = (words: string) => new RegExp(`\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d  ${shortCode(id)}  ${words}`);
  expect(screen).toMatch(line("opened by agent:local for human:alex: Fix a typo"));
  expect(screen).toMatch(line("approve by human:alex .*: Nice"));
  expect(screen).not.toContain('"type"');
  const piped = JSON.parse(await apart.ok(["events"])) as { type: string }[];
  expect(piped.some(({ type }) => type === "ticket.create")).toBe(true);
  expect(JSON.parse(await apart.ok(["events", "--json"]))[0]).toHaveProperty("prev_hash");
});

test("[CLI-TOUR-1] hap tour is decided at the terminal, wakes its agent, and leaves the person's store and the disk alone", async () => {
  const apart = new World({ TMPDIR: undefined });
  const tui = new Tui(apart, { columns: 110, rows: 60, argv: [process.execPath, HAP, "tour"] });
  await tui.until("What do you say?");
  tui.type("\u001b[B\r");
  await tui.until("A word for the agent");
  tui.type("Not now\r");
  await tui.until("hap verify: the log is whole");
  const { exitCode } = await tui.exited;
  const said = bare(tui.raw);
  expect(exitCode).toBe(0);
  expect(said).toContain("rejected - Not now");
  expect(said).toContain("reject by human:alex");
  expect(readdirSync(apart.folder)).not.toContain("hap.db");
  expect((await apart.run(["tour"])).err).toContain("run `hap tour` at a terminal");
});

test("[CLI-TODAY-1] hap today counts calls, tickets, decisions and expiries, and names the rules that let calls run", async () => {
  const apart = new World();
  const project = join(apart.folder, "app");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(apart.folder, ".claude/projects/app"), { recursive: true });
  const use = (id: string, command: string) => ({ type: "tool_use", id, name: "Bash", input: { command } });
  const content = [use("1", "ls"), use("2", "git status"), use("3", "git push --force")];
  const call = { type: "assistant", timestamp: new Date().toISOString(), cwd: project, message: { content } };
  writeFileSync(join(apart.folder, ".claude/projects/app/one.jsonl"), `${JSON.stringify(call)}\n`);
  const first = await apart.create();
  await apart.create(["--summary", "Another"]);
  await apart.ok(["approve", first.id]);
  const report = await apart.json<Record<string, unknown>>(["today"]);
  expect(report).toMatchObject({ calls: 3, run: 2, ask: 1, asks: 2, open: 1, by_people: 1, expired: 0 });
  expect(report.median_seconds).toEqual(expect.any(Number));
  const rules = report.rules as { rule: string; verdict: string; calls: number }[];
  expect(rules[0]).toMatchObject({ verdict: "run", calls: 2 });
  const text = await apart.ok(["today"]);
  expect(text).toMatch(/Calls +3/);
  expect(text).toMatch(/Median time +\d+ second/);
  expect(text).toContain(`2  ${rules[0]?.rule}`);
});

test("[CLI-COMPLETION-2] completion offers the codes of open tickets, and delivers none", async () => {
  const apart = new World();
  const { id } = await apart.create(["--summary", "Fix a typo"]);
  expect(await apart.ok(["completion", "--codes"])).toBe(`${shortCode(id)}\tFix a typo\n`);
  const bin = join(apart.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "hap"), `#!/bin/sh\nexec '${process.execPath}' '${HAP}' "$@"\n`, { mode: 0o755 });
  const script = join(apart.folder, "completion.bash");
  writeFileSync(script, await apart.ok(["completion", "bash"]));
  const ask = `. '${script}'; COMP_WORDS=(hap approve ""); COMP_CWORD=2; _hap; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = apart.environment({ PATH: `${bin}:${process.env.PATH}` });
  expect(spawnSync("bash", ["-c", ask], { env, encoding: "utf8" }).stdout.split("\n")).toContain(shortCode(id));
  const events = await apart.json<{ type: string }[]>(["events", "--ticket", id]);
  expect(events.map(({ type }) => type)).toEqual(["ticket.create"]);
});

test("[CLI-MAN-1] there is a manual page for every command, and each is well formed", async () => {
  const apart = new World();
  const folder = join(apart.folder, "man1");
  await apart.ok(["man", "--output", folder]);
  const names = COMMANDS.map(({ name }) => `hap-${name}.1`);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(["hap.1", ...names]));
  const page = await apart.ok(["man", "wait"]);
  for (const words of [".TH HAP\\-WAIT 1", ".SH NAME", ".SH OPTIONS", "\\-\\-timeout", "rejected"]) expect(page).toContain(words);
  const groff = spawnSync("groff", ["-man", "-Tutf8", "-ww", join(folder, "hap.1"), ...names.map((name) => join(folder, name))], {
    encoding: "utf8",
  });
  // Where groff is there, it has nothing to complain about.
  if (groff.error === undefined) expect(groff.stderr).toBe("");
});
