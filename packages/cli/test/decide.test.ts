// A person's day at the terminal: the lines of the draft's 8.1, exactly, and what we add after them.
import { shortCode, type Ticket } from "@hap/protocol";
import { describe, expect, test } from "vitest";
import { World } from "./hap.ts";

const world = new World();
const diff = "--- a/src/auth.ts\n+++ b/src/auth.ts\n@@ -1,2 +1,3 @@\n-old\n+new\n+more\n kept\n";
const withDiff = ["--from", "agent:code_assist", "--file", "src/auth.ts", "--diff-file", "-"];

describe("show", () => {
  test("[CLI-LINES-1] begins with the draft's labels and lines, exactly", async () => {
    const ticket = await world.create(withDiff, { input: diff });
    const lines = (await world.ok(["show", ticket.id])).split("\n");
    expect(lines.slice(0, 6)).toEqual([
      `Ticket: ${ticket.id}`,
      "From: agent:code_assist",
      "Priority: normal",
      "Risk: 0.26 (low)",
      expect.stringMatching(/^Created: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \((just now|\d+ (second|minute)s? ago)\)$/),
      expect.stringMatching(/^Lease: Expires in (5\d|60) minutes \(auto_reject on timeout\)$/),
    ]);
    expect(lines.slice(6, 10)).toEqual(["", "Intent: modify_file", "File: src/auth.ts", "Changes: +2 -1 lines"]);
  });

  test("[PRESENT-FACE-1] [TRUST-WORDS-1] then shows every block whole, the history, and what class open is worth", async () => {
    const command = `echo ${"x".repeat(500)}`;
    const details = JSON.stringify({ command, nested: { ключ: [1, 2] } });
    const ticket = await world.create([
      "--kind",
      "run_command",
      "--details",
      details,
      "--confidence",
      "0.5",
      "--environment",
      "dev",
    ]);
    const shown = await world.ok(["show", ticket.id]);
    const inOrder = [
      "local wants to run this command in dev.",
      "│ Command",
      command,
      "│ Summary",
      "Refactor auth middleware",
      "Why it is risky",
      "notable",
      "If you do nothing",
      "Without an answer within 1 hour, it is rejected.",
      "The whole action",
      "│ Details",
      '"ключ"',
      "Evidence",
      "│ From",
      "│ Kind",
      "│ Environment",
      "│ Confidence",
      "Risk factors",
      "Severity",
      "Effects",
      "Artifact hash",
      "Bytes hash",
      "History:",
      "opened by agent:local for human:alex",
      "Trust: open (a guard rail",
    ];
    let at = 0;
    for (const part of inOrder) {
      const found = shown.indexOf(part, at);
      expect(found, part).toBeGreaterThanOrEqual(at);
      at = found;
    }
    expect(shown).toContain("stops mistakes, not a hostile program");
  });

  test("[PRESENT-VISIBLE-1] invisible and bidirectional characters are shown, and none reaches the terminal", async () => {
    const details = JSON.stringify({ command: "echo \u202Ehidden\u202C\u001b[31m", file: "a\u200Bb.ts\nTrust: remote" });
    const ticket = await world.create(["--summary", "Fix \u202Ethis", "--details", details]);
    const shown = await world.ok(["show", ticket.id]);
    expect(shown).toContain("<U+202E>hidden<U+202C><U+001B>[31m");
    expect(shown).toContain("File: a<U+200B>b.ts<U+000A>Trust: remote\n");
    expect(shown).toContain("│ Fix <U+202E>this");
    expect(await world.ok(["inbox"])).toContain("Fix <U+202E>this");
    for (const hidden of ["\u202E", "\u200B", "\u001b"]) expect(shown).not.toContain(hidden);
  });

  test("[TICKET-DELIVER-2] delivers to the addressee and never acknowledges", async () => {
    const ticket = await world.create();
    expect(ticket.state).toBe("PENDING");
    expect((await world.json(["show", ticket.id])).state).toBe("DELIVERED");
    const other = await world.create();
    const seen = await world.json(["show", other.id], { env: { HAP_HUMAN_ID: "human:sam" } });
    expect(seen.state).toBe("PENDING");
  });
});

describe("the three words", () => {
  test("[CLI-LINES-1] ack, approve and reject print the draft's line first", async () => {
    const [one, two] = [await world.create(), await world.create()];
    expect(await world.ok(["ack", one.id, "Reviewing now..."])).toMatch(/^Ticket acknowledged\. Lease timer paused\.\n/);
    expect(await world.ok(["approve", one.id, "LGTM"])).toMatch(/^Ticket approved!\n/);
    expect(await world.ok(["reject", two.id, "Please", "add", "tests"])).toMatch(/^Ticket rejected with comment\.\n/);
    const rejected = await world.json(["show", two.id]);
    expect(rejected).toMatchObject({ state: "REJECTED", resolution: { comment: "Please add tests" } });
  });

  test("[DECIDE-CHANGES-1] changes ends the ticket as CHANGES_REQUESTED, with the words", async () => {
    const ticket = await world.create();
    expect(await world.ok(["changes", ticket.id, "Split it"])).toMatch(/^Changes requested\.\n/);
    expect(await world.json(["show", ticket.id])).toMatchObject({
      state: "CHANGES_REQUESTED",
      resolution: { comment: "Split it" },
    });
  });

  test("[ASSURE-RECORD-1] the level, the confirmation and the trust class stand in the output and in the resolution", async () => {
    const ticket = await world.create();
    const said = await world.ok(["approve", ticket.id]);
    expect(said).toContain("Recorded: human:alex, assurance local\nTrust: open (");
    const shown = await world.json(["show", ticket.id]);
    expect(shown.resolution).toMatchObject({ assurance: "local", confirmed: false, trust: "open" });
  });

  test("edits change the details where the ticket allows it, and are refused where it does not", async () => {
    const allowed = await world.create(["--details", '{"n":1}', "--ask", '{"type":"approval","allow_edits":true}']);
    const approved = await world.json(["approve", allowed.id, "--edits", '{"n":2}']);
    expect(approved.resolution?.edits).toEqual({ n: 2 });
    expect(await world.ok(["show", allowed.id])).toContain('Edits: {"n":2}');
    const plain = await world.create(["--details", '{"n":1}']);
    const refused = await world.run(["approve", plain.id, "--edits", '{"n":2}']);
    expect(refused).toMatchObject({ code: 5, out: "" });
  });
});

describe("short forms", () => {
  test("[ID-SHORT-1] a prefix and a suffix name a delivered ticket, the short code any, and agent, kind and summary are repeated", async () => {
    const ticket = await world.create(["--from", "agent:ci", "--kind", "deploy", "--summary", "Ship it", "--confidence", "1"]);
    const code = shortCode(ticket.id);
    expect(await world.run(["approve", ticket.id.slice(0, 12)])).toMatchObject({ code: 4 });
    expect((await world.json<Ticket>(["show", code])).id).toBe(ticket.id);
    await world.ok(["inbox"]);
    expect((await world.json<Ticket>(["show", code])).id).toBe(ticket.id);
    expect((await world.json<Ticket>(["show", `…${code}`])).id).toBe(ticket.id);
    expect((await world.json<Ticket>(["show", ticket.id.slice(0, 12)])).id).toBe(ticket.id);
    const said = await world.ok(["approve", code]);
    expect(said).toContain(`${ticket.id}  deploy by agent:ci\n│ Ship it\n`);
  });

  test("[ID-SHORT-1] what fits two tickets is refused, with both", async () => {
    const prefix = `tk_same${"x".repeat(10)}`;
    for (const end of ["aaaaaa", "bbbbbb"]) await world.create(["--id", prefix + end]);
    await world.ok(["inbox"]);
    const ran = await world.run(["approve", prefix]);
    expect(ran.code).toBe(5);
    expect(ran.err).toContain(`${prefix}aaaaaa, ${prefix}bbbbbb`);
  });
});

describe("time and people", () => {
  test("extend, snooze, reassign and note", async () => {
    const ticket = await world.create(["--ttl", "10m"]);
    await world.ok(["show", ticket.id]);
    const extended = await world.json(["extend", ticket.id, "1h30m"]);
    // More than what was added alone, however long the commands before took.
    expect(extended.lease.remaining_seconds).toBeGreaterThan(5400);
    expect(await world.ok(["snooze", ticket.id, "20m"])).toMatch(/^Ticket snoozed\.\n[\s\S]*Back in the inbox at /);
    expect(await world.ok(["inbox"])).not.toContain(ticket.id);
    await world.ok(["note", ticket.id, "asked", "Sam"]);
    expect(await world.ok(["show", ticket.id])).toMatch(/note by human:alex: asked Sam/);
    expect(await world.ok(["reassign", ticket.id, "sam"])).toMatch(/^Ticket given to human:sam\.\n/);
    expect(await world.run(["approve", ticket.id])).toMatchObject({ code: 3, out: "" });
    expect(await world.ok(["approve", ticket.id], { env: { HAP_HUMAN_ID: "human:sam" } })).toMatch(/^Ticket approved!/);
  });

  test("an acknowledgement for a while says when the lease goes on", async () => {
    const ticket = await world.create();
    expect(await world.ok(["ack", ticket.id, "--for", "15m"])).toMatch(
      // 15 only where it is told within the millisecond that it was recorded in.
      /Lease: Paused with .* left, goes on in 1[45] minutes unless decided/,
    );
  });

  test("cancel ends a ticket as its person, as its agent, and as whoever opened it without naming one", async () => {
    const [mine, agents, sent] = [
      await world.create(),
      await world.create(["--from", "agent:ci"]),
      await world.create(["--to", "human:sam"]),
    ];
    expect((await world.json(["cancel", mine.id, "no longer needed"])).resolution).toMatchObject({
      outcome: "canceled",
      actor: { kind: "human", id: "human:alex" },
      comment: "no longer needed",
    });
    expect((await world.json(["cancel", agents.id, "--from", "agent:ci"])).resolution?.actor).toEqual({
      kind: "agent",
      id: "agent:ci",
    });
    expect(await world.ok(["cancel", sent.id])).toMatch(/^Ticket canceled\.\n[\s\S]*Withdrawn by agent:local\./);
  });
});

describe("who decides", () => {
  test("[CLI-HUMAN-1] HAP_HUMAN_ID says who you are, and without it the local user is", async () => {
    const mine = await world.create([], { env: { HAP_HUMAN_ID: undefined } });
    expect(mine.to).toMatch(/^human:[a-z0-9_-]+$/);
    expect(mine.to).not.toBe("human:alex");
    expect(await world.ok(["inbox"], { env: { HAP_HUMAN_ID: undefined } })).toContain(shortCode(mine.id));
    expect((await world.create([], { env: { HAP_HUMAN_ID: "sam" } })).to).toBe("human:sam");
  });

  test("[DECIDE-WHO-1] somebody else is refused, and told who decides", async () => {
    const ticket = await world.create();
    const ran = await world.run(["approve", ticket.id], { env: { HAP_HUMAN_ID: "human:mallory" } });
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toContain("is addressed to human:alex; you are human:mallory");
  });

  test("[DECIDE-WHO-2] a process that acts as an agent decides nothing", async () => {
    const ticket = await world.create(["--from", "agent:ci"]);
    const env = { HAP_AGENT_ID: "agent:ci" };
    for (const args of [["approve"], ["reject"], ["changes"], ["answer"], ["ack"], ["snooze", "1m"], ["extend", "1m"]]) {
      const [verb, ...rest] = args as [string, ...string[]];
      const ran = await world.run([verb, ticket.id, ...rest, "--json"], { env });
      expect(ran, verb).toMatchObject({ code: 3, out: "" });
      expect(JSON.parse(ran.err).error.code).toBe("agent_cannot_decide");
    }
    expect((await world.json(["show", ticket.id])).state).toBe("DELIVERED");
  });

  test("[TICKET-DELIVER-1] an agent sees its own tickets, and its looking delivers nothing", async () => {
    const env = { HAP_AGENT_ID: "agent:looker" };
    const [own, other] = [await world.create([], { env }), await world.create()];
    expect(own.from).toBe("agent:looker");
    expect((await world.json<Ticket[]>(["list"], { env })).map(({ id, state }) => [id, state])).toEqual([[own.id, "PENDING"]]);
    expect((await world.json(["show", own.id], { env })).state).toBe("PENDING");
    expect(await world.run(["show", other.id], { env })).toMatchObject({ code: 4 });
    expect(await world.run(["inbox"], { env })).toMatchObject({ code: 3 });
    expect((await world.json(["cancel", own.id], { env })).resolution?.actor.kind).toBe("agent");
  });
});
