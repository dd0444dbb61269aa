// hap wait and create --wait: an exit code for each way that a ticket can end, and the person's words as they are.
import { join } from "node:path";
import { connectAgent, connectPerson } from "@hap/sdk";
import { describe, expect, test } from "vitest";
import { watches } from "../../../test/support/watches.ts";
import { ended, World } from "./hap.ts";

const world = new World();
const auto = ["--file", "README.md", "--lines-added", "1", "--on-timeout", "auto_approve"];

/** Start a wait, do something, and see how the wait ends. */
async function waiting(id: string, act: () => Promise<unknown>, args: string[] = []) {
  const waiter = ended(world.start(["wait", id, ...args]));
  await act();
  return waiter;
}

describe("[EXIT-WAIT-1] exit codes", () => {
  test("0 when a person approves, with the comment verbatim [DECIDE-COMMENT-1]", async () => {
    const { id } = await world.create();
    const comment = 'fine — "but" watch\tthe index\n第二行';
    const ran = await waiting(id, () => world.ok(["approve", id, comment]));
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toBe(`Approved by human:alex. They said: ${comment}\n`);
  });

  test("0 when a person answers, with the answer", async () => {
    const { id } = await world.create(["--ask", '{"type":"confirm"}']);
    const ran = await waiting(id, () => world.ok(["answer", id, "yes"]));
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("Answered by human:alex.\nConfirm\n") });
  });

  test("10 rejected, 11 changes requested, 13 canceled", async () => {
    for (const [verb, code, words] of [
      ["reject", 10, /Rejected by human:alex: do not do this\. They said: no/],
      ["changes", 11, /human:alex wants changes .* They said: no/],
      ["cancel", 13, /Canceled by human:alex\. They said: no/],
    ] as const) {
      const { id } = await world.create();
      const ran = await waiting(id, () => world.ok([verb, id, "no"]));
      expect(ran, verb).toMatchObject({ code, out: expect.stringMatching(words) });
    }
  });

  test("[DECIDE-ACTOR-1] 12 expired and 15 approved by a timer: no person said anything", async () => {
    const expires = await world.create(["--ttl", "1s"]);
    const approves = await world.create([...auto, "--ttl", "8s"]);
    // What nobody was shown cannot approve itself: shown from this process, long before its time is over.
    const person = await connectPerson({ person: "human:alex", dbPath: world.dbPath, home: world.folder });
    await person.show(approves.id);
    await person.close();
    const [expired, approved] = await Promise.all([world.run(["wait", expires.id]), world.run(["wait", approves.id])]);
    expect(expired).toMatchObject({ code: 12, out: expect.stringMatching(/Nobody answered in time.*not a person's refusal/) });
    expect(approved).toMatchObject({ code: 15, out: expect.stringMatching(/no person said yes/) });
    expect((await world.json(["show", approves.id])).resolution).toMatchObject({ actor: { kind: "timer" }, assurance: "none" });
  });

  test("14 still open when --timeout ends, and the ticket stays open", async () => {
    const { id } = await world.create();
    const ran = await world.run(["wait", id, "--timeout", "1s", "--json"]);
    expect(ran.code).toBe(14);
    expect(JSON.parse(ran.out)).toMatchObject({ id, state: "PENDING" });
  });

  test("[ASSURE-RELAY-1] 16 when an agent's client relayed the answer, which is shown as relayed", async () => {
    const { id, from } = await world.create(["--ask", '{"type":"text"}']);
    const agent = await connectAgent({ agent: from, dbPath: world.dbPath, home: world.folder });
    await agent.relayAnswer(id, "blue");
    await agent.close();
    const ran = await world.run(["wait", id]);
    expect(ran).toMatchObject({
      code: 16,
      out: expect.stringMatching(/relayed by the client, and nothing proves that a person gave it/),
    });
    expect(await world.ok(["show", id])).toContain("the client relayed it");
  });

  test("130 on Ctrl-C, and the ticket is as it was", async () => {
    const { id } = await world.create();
    const waiter = world.start(["wait", id]);
    const end = ended(waiter);
    await expect.poll(() => watches(waiter.pid as number), { timeout: 45_000 }).toBe(true);
    waiter.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, signal: null, out: "" });
    expect((await world.json(["show", id])).resolution).toBeNull();
  });

  test("4 for a ticket that is not there, 2 for a timeout that is no time", async () => {
    expect(await world.run(["wait", "tk_00000000000000000"])).toMatchObject({ code: 4 });
    expect(await world.run(["wait", (await world.create()).id, "--timeout", "x"])).toMatchObject({ code: 2 });
  });
});

describe("[CLI-CREATE-1] create", () => {
  test("takes details inline, from a file and from standard input", async () => {
    const details = { command: "make test", why: "wegen ü" };
    const text = JSON.stringify(details);
    const path = world.file("details.json", text);
    for (const [source, input] of [
      [text, ""],
      [`@${path}`, ""],
      ["-", text],
    ] as const) {
      const ticket = await world.create(["--kind", "run_command", "--details", source], { input });
      expect(ticket.intent.details).toEqual(details);
    }
  });

  test("takes every option of a ticket", async () => {
    const ticket = await world.create([
      ...[
        "--to",
        "human:sam",
        "--from",
        "agent:ci",
        "--kind",
        "deploy",
        "--environment",
        "staging",
        "--confidence",
        "0.8",
        "--risk",
        "0.65",
      ],
      ...[
        "--priority",
        "high",
        "--ttl",
        "1h30m",
        "--on-timeout",
        "cancel",
        "--escalate-to",
        "human:kim,human:lee",
        "--escalate-to",
        "human:max",
      ],
      ...["--project", "sub", "--session", "s1", "--file", "a.ts", "--lines-added", "3", "--lines-removed", "4"],
    ]);
    expect(ticket).toMatchObject({
      to: "human:sam",
      from: "agent:ci",
      intent: { kind: "deploy", confidence: 0.8, details: { file: "a.ts", lines_added: 3, lines_removed: 4 } },
      artifact: { environment: "staging" },
      risk_claimed: 0.65,
      priority: "high",
      lease: { ttl_seconds: 5400, on_timeout: "cancel", escalate: { to: ["human:kim", "human:lee", "human:max"] } },
      project: join(world.folder, "work", "sub"),
      session: "s1",
    });
  });

  test("[INPUT-DEFAULTS-1] asks you, as agent:local, for an hour, about the nearest project", async () => {
    world.file("repo/.git/HEAD", "");
    const cwd = join(world.folder, "work", "repo");
    const ticket = await world.json(["create", "--file", "a.ts"], { cwd });
    expect(ticket).toMatchObject({
      to: "human:alex",
      from: "agent:local",
      intent: { kind: "modify_file", summary: "Modify file a.ts" },
      lease: { ttl_seconds: 3600, on_timeout: "auto_reject" },
      priority: "normal",
      project: cwd,
    });
    expect((await world.json(["create", "--file", "a.ts", "--no-project"], { cwd })).project).toBeNull();
    expect((await world.json(["create", "--file", "a.ts"])).project).toBeNull();
  });

  test("[ID-OWN-1] the same id and content is the same ticket; other content is a conflict", async () => {
    const id = "tk_mine000000000000000";
    const first = await world.create(["--id", id, "--file", "a.ts"]);
    expect(await world.create(["--id", id, "--file", "a.ts"])).toMatchObject({ id, seq: first.seq });
    expect(await world.run(["create", "--summary", "other", "--id", id, "--json"])).toMatchObject({ code: 5, out: "" });
  });

  test("--wait waits, with wait's exit codes, and tells that the words were heard", async () => {
    const id = "tk_waiting00000000000";
    const waiter = ended(world.start(["create", "--summary", "Wait for me", "--id", id, "--wait", "--json"]));
    await expect.poll(() => world.run(["reject", id, "not now"]).then(({ code }) => code), { timeout: 45_000 }).toBe(0);
    const ran = await waiter;
    expect(ran.code).toBe(10);
    expect(JSON.parse(ran.out)).toMatchObject({ id, state: "REJECTED", resolution: { comment: "not now" } });
    expect((await world.json(["show", id])).heard_at).not.toBeNull();
    expect(await world.run(["create", "--summary", "x", "--ttl", "1s", "--wait"])).toMatchObject({ code: 12 });
    expect(await world.run(["create", "--summary", "x", "--wait", "--timeout", "1s"])).toMatchObject({ code: 14 });
  });
});
