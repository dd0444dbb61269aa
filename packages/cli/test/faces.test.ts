// How it looks: tables that fit, colours only where they belong, JSON that is nothing but JSON, help, completion, the tour.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ticket } from "@hap/protocol";
import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../src/command-table.ts";
import type { Context } from "../src/context.ts";
import { ALL_COMMANDS, buildProgram } from "../src/program.ts";
import { displayWidth } from "../src/terminal/width.ts";
import { bare, ESC, ended, HAP, World } from "./hap.ts";

const world = new World();
let tickets: Ticket[] = [];
const long = "Drop the staging table and everything that depends on it, so that the migration can run again";
const wide = "名前を変更する：日本語のとても長い要約がここにあります。そしてまだまだ続きます";

beforeAll(async () => {
  tickets = [
    await world.create(["--summary", long, "--risk", "0.68", "--priority", "high"]),
    await world.create(["--summary", wide, "--file", "a.ts"]),
    await world.create(["--summary", "Fix typo", "--file", "README.md", "--priority", "low"]),
  ];
});

describe("[CLI-TABLE-1] tables", () => {
  test("in a pipe the inbox has the draft's borders, short codes, who asks, what kind, whole summaries and what is left", async () => {
    const lines = (await world.ok(["inbox"])).trimEnd().split("\n");
    expect(lines[0]).toMatch(/^\+(-+\+){8}$/);
    expect(lines[1]).toMatch(/^\| Code +\| Priority +\| Agent +\| Kind +\| Summary +\| Risk +\| Age +\| Left +\|$/);
    expect(lines).toHaveLength(7);
    for (const border of [2, 6]) expect(lines[border]).toBe(lines[0]);
    const rows = lines.slice(3, 6).map((line) => line.split("|").map((cell) => cell.trim()));
    expect(rows.map((row) => row[1])).toEqual(tickets.map(({ id }) => id.slice(-6)));
    expect(rows.map((row) => row[5])).toEqual([long, wide, "Fix typo"]);
    expect(rows[0]?.[6]).toBe("0.68");
    expect(rows[0]?.[7]).toMatch(/^\d+[sm]$/);
    expect(rows[0]?.[8]).toMatch(/^\d+[mh]$/);
  });

  test("in a pipe a list has the draft's columns, whole ids and whole summaries", async () => {
    const lines = (await world.ok(["list"])).trimEnd().split("\n");
    expect(lines[1]).toMatch(/^\| ID +\| Priority +\| Summary +\| Risk +\| Age +\|$/);
    for (const { id } of tickets) expect(lines.some((line) => line.includes(id))).toBe(true);
  });

  test.for([60, 80, 120])("fit %i columns, wide characters measured as they are drawn", async (columns) => {
    for (const text of [
      await world.ok(["inbox"], { env: { COLUMNS: String(columns) } }),
      await world.ok(["list", "--all"], { env: { COLUMNS: String(columns) } }),
      bare((await world.atTerminal(["inbox"], { columns })).screen),
    ]) {
      const table = text.split("\n").filter((line) => /^[+|]/.test(line));
      expect(table.length).toBeGreaterThanOrEqual(7);
      expect(new Set(table.map(displayWidth))).toHaveProperty("size", 1);
      expect(displayWidth(table[0] as string)).toBeLessThanOrEqual(columns);
      expect(text).toContain(tickets[0]?.id.slice(-6));
      expect(text).toContain("…");
    }
  });

  test("[TICKET-DELIVER-1] a page delivers what it shows, and says where the next one begins", async () => {
    const apart = new World();
    const made = [await apart.create(["--priority", "high"]), await apart.create()];
    const first = await apart.run(["inbox", "--limit", "1", "--json"]);
    expect(JSON.parse(first.out).map((ticket: Ticket) => [ticket.id, ticket.state])).toEqual([[made[0]?.id, "DELIVERED"]]);
    const cursor = /--cursor (cur_\S+)/.exec(first.err)?.[1] as string;
    const others = await apart.json<Ticket[]>(["list", "--to", "anyone"], { env: { HAP_HUMAN_ID: "human:sam" } });
    expect(others.map(({ state }) => state).sort()).toEqual(["DELIVERED", "PENDING"]);
    expect((await apart.json<Ticket[]>(["inbox", "--cursor", cursor])).map(({ id }) => id)).toEqual([made[1]?.id]);
  });

  test("list narrows by state, agent, kind, person and age", async () => {
    const apart = new World();
    const done = await apart.create(["--from", "agent:ci", "--kind", "deploy", "--confidence", "1"]);
    await apart.create(["--to", "human:sam"]);
    await apart.ok(["reject", done.id]);
    const ids = async (...args: string[]) => (await apart.json<Ticket[]>(["list", ...args])).map(({ id }) => id);
    expect(await ids()).toEqual([]);
    expect(await ids("--all")).toEqual([done.id]);
    expect(await ids("--state", "rejected,expired", "--from", "ci", "--kind", "deploy", "--since", "1h")).toEqual([done.id]);
    expect(await ids("--all", "--kind", "other")).toEqual([]);
    expect(await ids("--to", "anyone")).toHaveLength(1);
    expect(await apart.ok(["list"])).toBe("No ticket fits.\n");
    expect(await apart.ok(["list", "--all"])).toMatch(/\| State +\|[\s\S]*\| REJECTED \|/);
    expect(await apart.ok(["inbox"])).toBe("Nothing waits for human:alex.\n");
  });
});

describe("[CLI-COLOR-1] colours", () => {
  test("on a terminal, and by risk", async () => {
    const { screen } = await world.atTerminal(["inbox"]);
    expect(screen).toContain(`${ESC}[33m0.68`);
    expect(screen).toContain(`${ESC}[32m0.26`);
    expect((await world.atTerminal(["show", tickets[2]?.id as string])).screen).toContain(ESC);
  });

  test("not in a pipe, not under NO_COLOR, but with FORCE_COLOR", async () => {
    expect(await world.ok(["inbox"])).not.toContain(ESC);
    expect((await world.atTerminal(["inbox"], { env: { NO_COLOR: "1" } })).screen).not.toContain(ESC);
    expect(await world.ok(["inbox"], { env: { FORCE_COLOR: "1" } })).toContain(ESC);
    expect(await world.ok(["inbox"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).not.toContain(ESC);
    expect(await world.ok(["inbox", "--json"], { env: { FORCE_COLOR: "1" } })).not.toContain(ESC);
  });

  test("a diff is coloured, and every row of an agent's words has its bar, however narrow the terminal", async () => {
    const diff = `--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old ${"x".repeat(100)}\n+new\tTrust: remote ${"y".repeat(100)}\n`;
    const { id } = await world.create(["--file", "a.ts", "--diff-file", "-"], { input: diff });
    const { screen } = await world.atTerminal(["show", id], { columns: 60 });
    expect(screen).toContain(`${ESC}[32m+new`);
    expect(screen).toContain(`${ESC}[31m-old`);
    const lines = bare(screen).split("\n");
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(60);
    for (const line of lines.filter((row) => /x{5}|y{5}|remote/.test(row))) expect(line).toMatch(/^│ /);
  });
});

describe("[CLI-JSON-1] --json", () => {
  test("prints the ticket or the list, names resolved, and nothing else, on every command", async () => {
    const apart = new World();
    const id = async () => (await apart.create()).id;
    const question = (await apart.create(["--ask", '{"type":"text"}'])).id;
    const runs: [string[], string][] = [
      [["inbox"], "list"],
      [["list", "--all"], "list"],
      [["show", await id()], "ticket"],
      [["ack", await id()], "ticket"],
      [["approve", await id(), "ok"], "ticket"],
      [["reject", await id()], "ticket"],
      [["changes", await id()], "ticket"],
      [["answer", question, "x"], "ticket"],
      [["wait", question], "ticket"],
      [["cancel", await id()], "ticket"],
      [["note", await id(), "n"], "ticket"],
      [["extend", await id(), "5m"], "ticket"],
      [["snooze", await id(), "5m"], "ticket"],
      [["reassign", await id(), "sam"], "ticket"],
      [["man", "wait"], "object"],
      [["today"], "object"],
      [["events"], "array"],
      [["verify"], "object"],
      [["policy", "check"], "object"],
      [["credential", "list"], "array"],
      [["erase", await id(), "--yes"], "object"],
      [["completion", "bash"], "object"],
    ];
    for (const [args, shape] of runs) {
      const ran = await apart.run([...args, "--json"]);
      expect(ran, args.join(" ")).toMatchObject({ code: 0, err: "" });
      const value = JSON.parse(ran.out);
      expect(Array.isArray(value), args.join(" ")).toBe(shape === "list" || shape === "array");
      if (shape === "ticket")
        expect(value).toMatchObject({ id: expect.stringMatching(/^tk_/), to: expect.stringMatching(/^human:(alex|sam)$/) });
      if (shape === "list") expect(value[0]).toMatchObject({ id: expect.stringMatching(/^tk_/), to: "human:alex" });
    }
    expect(JSON.parse(await apart.ok(["--json", "inbox"]))).toBeInstanceOf(Array);
  });
});

describe("[CLI-HELP-1] help and completion", () => {
  test("--help of every command and of every command below one has examples and --json", async () => {
    const texts: string[] = [];
    const out = { columns: 100, text: (text: string) => texts.push(text) };
    const program = await buildProgram({ out, env: {} } as unknown as Context, ALL_COMMANDS);
    const check = (command: Command, path: string): number => {
      texts.length = 0;
      command.outputHelp();
      const help = texts.join("");
      expect(help, path).toMatch(/^Usage: hap /);
      expect(help, path).toMatch(/\nExamples:\n {2}\$ .*hap/);
      expect(help, path).toContain("--json");
      return command.commands.reduce((sum, below) => sum + check(below, `${path} ${below.name()}`), 1);
    };
    const checked = COMMANDS.map(({ name }) => check(program.commands.find((one) => one.name() === name) as Command, name));
    expect(checked.reduce((sum, count) => sum + count)).toBeGreaterThan(COMMANDS.length + 20);
    expect(await world.ok(["key", "create", "--help"])).toContain("Examples:");
  });

  test("hap --help names every command, help COMMAND is the same as COMMAND --help, and --version is a version", async () => {
    const help = await world.ok(["--help"]);
    for (const { name, summary } of COMMANDS) expect(help).toMatch(new RegExp(`\\n {2}${name} +${summary}`));
    expect(await world.ok(["help", "wait"])).toBe(await world.ok(["wait", "--help"]));
    expect(await world.ok(["--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("bash completes commands, subcommands and options", async () => {
    const script = await world.ok(["completion", "bash"]);
    const complete = (line: string) => {
      const words = line.split(" ");
      const program = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _hap; echo "\${COMPREPLY[@]}"`;
      return spawnSync("bash", ["-c", program], { encoding: "utf8" }).stdout.trim().split(" ");
    };
    expect(
      complete("hap ")
        .filter((word) => !word.startsWith("-"))
        .sort(),
    ).toEqual([...COMMANDS.map(({ name }) => name), "help"].sort());
    expect(complete("hap appr")).toEqual(["approve"]);
    expect(complete("hap policy t")).toEqual(["test", "trust"]);
    expect(complete("hap credential re")).toEqual(["revoke"]);
    expect(complete("hap create --lines")).toEqual(["--lines-added", "--lines-removed"]);
    expect(complete("hap completion z")).toEqual(["zsh"]);
  });

  test("zsh and fish get every command and option too", async () => {
    for (const shell of ["zsh", "fish"]) {
      const script = await world.ok(["completion", shell]);
      for (const { name } of COMMANDS) expect(script).toContain(name);
      expect(script).toContain("escalate-to");
    }
  });
});

describe("a Node that is too old", () => {
  /** This Node, but it says that it is older: what the program goes by. */
  const pretend = () =>
    world.file(
      "older-node.mjs",
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });\n' +
        'Object.defineProperty(process, "version", { value: "v20.19.0" });\n',
    );
  const run = (program: string, ...args: string[]) => {
    const env = { PATH: process.env.PATH as string, HOME: world.folder, HAP_DB_PATH: world.dbPath };
    return ended(spawn(process.execPath, ["--import", pretend(), program, ...args], { env, stdio: ["pipe", "pipe", "pipe"] }));
  };

  test("[REPO-NODE-1] starts the pinned one, with the same exit codes", async () => {
    expect(await run(HAP, "--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^\d/) });
    expect(await run(HAP, "show", "tk_00000000000000000")).toMatchObject({ code: 4 });
  });

  test.each([
    ["hap", HAP],
    ["cueme", join(HAP, "../../../doors/cueme/bin/cueme.mjs")],
    ["term", join(HAP, "../../../term/bin/term.mjs")],
  ])("[REPO-NODE-1] %s says so in one line where no other is installed", async (name, path) => {
    const launcher = join(HAP, "../../../sdk/bin/launch.mjs");
    const [, imported] = /from "(.+launch\.mjs)"/.exec(readFileSync(path, "utf8")) as RegExpExecArray;
    const at = "alone/packages/one/two/bin";
    world.file(join(at, imported as string), readFileSync(launcher, "utf8"));
    const alone = world.file(`${at}/${name}.mjs`, readFileSync(path, "utf8"));
    const { code, out, err } = await run(alone, "inbox");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err.trim().split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^${name}: .*Node 24 or newer is needed; this is v20.*npm install`)),
    ]);
  });
});
