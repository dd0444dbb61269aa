// A yes to something critical: at a terminal, in plain words, after a phrase that only the terminal has seen (D3, D4).
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bare, World } from "./hap.ts";

const world = new World();
/** All of the line: what is typed back must not be the half of it that came first. */
const PHRASE = "type:\\s+(\\S[^\\r\\n]*)\\r?\\n";
const command = "rm -rf ~/backups";
const critical = ["--kind", "run_command", "--environment", "production", "--details", JSON.stringify({ command })];

describe("approve", () => {
  test("[ASSURE-LABEL-1] driven through a pty by a program of the same user is labelled as exactly that", async () => {
    const { id } = await world.create(critical);
    // No person is here: a program reads the phrase off the terminal that it opened, and types it.
    const { code, screen } = await world.atTerminal(["approve", id], { replies: [{ expect: PHRASE, send: "{0}\r" }] });
    expect(code).toBe(0);
    expect(bare(screen)).toContain("a program of the same user could have made this yes");
    expect(bare(screen)).toContain("hap credential add-ssh");
    expect((await world.json(["show", id])).resolution).toMatchObject({ assurance: "local", confirmed: true, unproven: true });
    const log = await world.json<{ type: string; payload?: object }[]>(["events", "--ticket", id]);
    expect(JSON.stringify(log.find(({ type }) => type === "intent.sign"))).toContain('"unproven":true');
    expect(await world.ok(["show", id])).toContain("a program of the same user could have made it");
  });

  test("[ASSURE-PHRASE-1] [ASSURE-PHRASE-2] [ASSURE-YES-1] plain words, then the phrase, on the terminal device and nowhere else", async () => {
    const { id, tier } = await world.create([...critical, "--summary", "Clean \u202Eup"]);
    expect(tier).toBe("critical");
    const { screen, code, out, err } = await world.atTerminal(["approve", id, "go ahead", "--json"], {
      apart: true,
      replies: [{ expect: PHRASE, send: "{0}\r" }],
    });
    expect(code).toBe(0);
    const phrase = /type:\s+(approve production [0-9a-hjkmnp-tv-z]{4})\r?\n/.exec(screen)?.[1];
    expect(phrase).toBeDefined();
    for (const words of ["wants to run this command in production", "Deletes outside the project", "│ Clean <U+202E>up", command])
      expect(bare(screen)).toContain(words);
    const ticket = JSON.parse(out);
    expect(ticket.resolution).toMatchObject({ outcome: "approved", assurance: "local", confirmed: true, comment: "go ahead" });
    expect(err).toBe("");
    const log = await world.ok(["events"]);
    for (const place of [
      out,
      log,
      readFileSync(world.dbPath, "latin1"),
      readFileSync(`${world.dbPath}-wal`, { encoding: "latin1", flag: "a+" }),
    ])
      expect(place).not.toContain(phrase);
    expect(await world.ok(["show", id])).toMatch(
      /Assurance: local, phrase typed\n.*a program of the same user could have made this yes/,
    );
  });

  test("[ASSURE-PHRASE-1] each phrase is made anew", async () => {
    const { id } = await world.create(critical);
    const phrases = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const { screen, code } = await world.atTerminal(["approve", id], { replies: [{ expect: PHRASE, send: "no\r" }] });
      expect(code).toBe(3);
      phrases.add(/type:\s+(.*?)\r?\n/.exec(screen)?.[1] ?? "");
    }
    expect(phrases.size).toBe(3);
  });

  test("[ASSURE-PHRASE-2] a phrase that does not match decides nothing, and is recorded as refused", async () => {
    const { id } = await world.create(critical);
    const before = await world.json<unknown[]>(["events", "--ticket", id]);
    const { code, err } = await world.atTerminal(["approve", id], {
      apart: true,
      replies: [{ expect: PHRASE, send: "approve production 0000\r" }],
    });
    expect(code).toBe(3);
    expect(err).toMatch(/The phrase does not match the one that was issued .* Nothing was recorded\. 2 of 3 tries left/);
    const shown = await world.json(["show", id]);
    expect(shown.state).toBe("DELIVERED");
    const after = await world.json<{ type: string }[]>(["events", "--ticket", id]);
    expect(after.slice(before.length).map(({ type }) => type)).toEqual(["ticket.state_change", "intent.invalid"]);
  });

  test("[ASSURE-PHRASE-3] without a terminal it is refused, with where it can be given", async () => {
    const { id } = await world.create(critical);
    const ran = await world.run(["approve", id, "--json"], { input: "approve production 1234\n" });
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(JSON.parse(ran.err).error).toMatchObject({
      code: "terminal_needed",
      message: expect.stringMatching(/in a terminal window/),
    });
    expect((await world.json(["show", id])).resolution).toBeNull();
  });

  test("[DECIDE-WHO-2] for a process that acts as an agent it is refused before anything is shown", async () => {
    const { id } = await world.create([...critical, "--from", "agent:ci"]);
    const { screen, code } = await world.atTerminal(["approve", id], { env: { HAP_AGENT_ID: "agent:ci" } });
    expect(code).toBe(3);
    expect(screen).toContain("agents do not approve");
    expect(screen).not.toContain("type:");
  });

  test("what has ended is told, not asked about", async () => {
    const { id } = await world.create(critical);
    await world.ok(["reject", id]);
    const { screen, code } = await world.atTerminal(["approve", id]);
    expect(code).toBe(5);
    expect(screen).not.toContain("type:");
  });
});

test("[ASSURE-NO-1] reject, changes and cancel never need a terminal", async () => {
  for (const verb of ["reject", "changes", "cancel"]) {
    const { id } = await world.create(critical);
    expect(await world.run([verb, id])).toMatchObject({ code: 0 });
  }
});

test("[ASSURE-YES-2] answering a critical question needs the same", async () => {
  const { id, tier } = await world.create([
    "--ask",
    '{"type":"confirm","prompt":"Really?"}',
    "--environment",
    "prod",
    "--risk",
    "0.9",
  ]);
  expect(tier).toBe("critical");
  expect(await world.run(["answer", id, "yes"])).toMatchObject({ code: 3, out: "" });
  const { code, screen } = await world.atTerminal(["answer", id, "yes"], { replies: [{ expect: PHRASE, send: "{0}\r" }] });
  expect(screen).toMatch(/Really\?[\s\S]*Your answer: Confirm[\s\S]*answer prod [0-9a-z]{4}/);
  expect(code).toBe(0);
  expect((await world.json(["show", id])).resolution).toMatchObject({ outcome: "answered", confirmed: true });
});
