// The gate against a real store: a person decides in another process's place, the harness only asks.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectPerson, type PersonClient } from "@hap/sdk/person";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseGateRule } from "../packages/term/src/gate/gate-rule.ts";
import { type Gate, makeGate } from "../packages/term/src/gate/make-gate.ts";
import { watchShell } from "../packages/term/src/gate/shell-watch.ts";
import { lineAgent, requestsOf, runAgent, temporaryFolder } from "../packages/term/test/support.ts";
import { approveTyped } from "./support/approve-typed.ts";
import { confirmPolicy } from "./support/confirm-policy.ts";

let person: PersonClient;
let gate: Gate | undefined;
const before = { db: process.env.HAP_DB_PATH, home: process.env.HOME };

beforeEach(async () => {
  const home = temporaryFolder();
  process.env.HOME = home;
  process.env.HAP_DB_PATH = join(home, "hap.db");
  person = await connectPerson({ person: "human:alex" });
});

afterEach(async () => {
  await gate?.close();
  await person.close();
  gate = undefined;
  process.env.HOME = before.home;
  if (before.db === undefined) delete process.env.HAP_DB_PATH;
  else process.env.HAP_DB_PATH = before.db;
});

const openGate = async (rule: string, ttlSeconds = 600) => {
  gate = await makeGate(
    { rule, to: "human:alex", ttlSeconds },
    { kind: "process", command: "agent", cwd: "/" },
    new AbortController().signal,
  );
  return gate;
};

/** Wait until the harness has asked. */
async function asked(): Promise<string> {
  for (;;) {
    const { tickets } = await person.list({ state: "open" });
    const [ticket] = tickets;
    if (ticket !== undefined) return ticket.id;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("a grant", () => {
  test("[TERM-GRANT-1] opens a command of the system's own programs in an untouched shell, and none other", async () => {
    const folder = temporaryFolder();
    const { ask } = await openGate("notable");
    const { statement, needs } = await person.beginGrant({
      agent: "agent:term",
      project: folder,
      commands: ["curl https://example.org/*"],
      seconds: 3600,
    });
    const { nonce } = statement;
    const phrase = needs === null ? {} : { phrase: (await person.issueGrantPhrase(nonce)).phrase };
    const { id } = await person.createGrant({ nonce, ...phrase });
    const watch = watchShell("none", [], {});
    const curl = (command = "curl https://example.org/a") => ask(command, folder, folder, watch.see(command, folder, folder));
    expect(await curl()).toMatchObject({ allowed: true, status: "granted", words: expect.stringContaining(id) });
    watch.ran("cd .");
    watch.ran("ls -la");
    expect(await curl()).toMatchObject({ status: "granted" });
    watch.ran("curl() { sh; }");
    for (const asking of [curl, () => ask("curl https://example.org/unseen", folder, folder)]) {
      const waiting = asking();
      await person.reject(await asked(), "no");
      expect(await waiting).toMatchObject({ allowed: false, status: "rejected" });
    }
    expect((await person.grant(id)).used).toBe(2);
  });

  test("[TERM-GRANT-1] is told what lies behind links in the sandbox; in a container and after typed keys nothing is trusted", () => {
    const host = temporaryFolder();
    symlinkSync("/etc", join(host, "out"));
    writeFileSync(join(host, "plain"), "");
    const watch = watchShell("bwrap", [{ host, inside: "/app", writable: true }], {});
    const see = (command: string) => watch.see(command, "/app", "/app");
    expect(see("cat plain")).toMatchObject({ effects: ["read_inside"], trusted: true });
    expect(see("cat out/hostname").effects).toContain("read_outside");
    expect(see("cat /tmp/x").effects).toContain("read_outside");
    expect(see("./plain").trusted).toBe(false);
    watch.ran(null);
    expect(see("cat plain").trusted).toBe(false);
    for (const command of [
      "PATH=/app",
      "printf -v PATH /app",
      "declare -x PATH=/app",
      "alias cat=sh",
      "eval x",
      "true; enable -n cd",
    ]) {
      const touched = watchShell("userns", [{ host, inside: "/app", writable: true }], {});
      touched.ran(command);
      expect([command, touched.see("cat plain", "/app", "/app").trusted]).toEqual([command, false]);
    }
    expect(watchShell("podman", [], {}).see("cat plain", "/app", "/app").trusted).toBe(false);
    expect(
      watchShell("bwrap", [{ host, inside: "/app", writable: true }], { PATH: "/app" }).see("cat plain", "/app", "/app").trusted,
    ).toBe(false);
  });
});

describe("which commands wait", () => {
  test("[TERM-GATE-1] by tier or by risk; anything else is wrong usage", () => {
    const holds = (rule: string) =>
      (["routine", "notable", "critical"] as const).map((tier) => parseGateRule(rule)({ tier, risk: 0.54 }));
    expect(holds("critical")).toEqual([false, false, true]);
    expect(holds("notable")).toEqual([false, true, true]);
    expect(holds("risk>=0.5")).toEqual([true, true, true]);
    expect(holds("risk>=0.6")).toEqual([false, false, false]);
    for (const bad of ["", "routine", "risk>0.5", "risk>=2", "risk>=x"])
      expect(() => parseGateRule(bad)).toThrow(/--gate must be/);
  });

  test("[TERM-GATE-1] notable goes by what a command would do, as the number is the same for all of them", async () => {
    const { ask } = await openGate("notable");
    // Writing inside the work folder is what an agent is for; the number of the draft is 0.54 here as everywhere.
    expect(await ask("echo x > here", "/project", "/project")).toMatchObject({
      status: "not_asked",
      tier: "routine",
      risk: 0.54,
    });
    for (const command of ["rm here", "curl http://example.org", "kill 1", "some-program --unknown"]) {
      const waiting = ask(command, "/project", "/project");
      await person.reject(await asked(), "no");
      expect(await waiting, command).toMatchObject({ allowed: false, status: "rejected" });
    }
    await gate?.close();
    const { ask: askAll } = await openGate("risk>=0.5");
    const waiting = askAll("echo x > here", "/project", "/project");
    await person.reject(await asked(), "no");
    expect(await waiting).toMatchObject({ allowed: false, status: "rejected" });
  });

  test("[TERM-GATE-1] an agent that left its folder is judged from where it is, in the ticket too", async () => {
    const { ask } = await openGate("critical");
    const waiting = ask("rm -rf data", "/srv", "/project");
    const id = await asked();
    expect(await person.getTicket(id)).toMatchObject({ tier: "critical", effects: ["delete_outside"] });
    await person.reject(id, "no");
    expect(await waiting).toMatchObject({ allowed: false, tier: "critical" });
  });

  test("[TERM-GATE-1] harmless commands never wait", async () => {
    const { ask } = await openGate("notable");
    expect(await ask("ls -la", "/project", "/project")).toMatchObject({
      allowed: true,
      status: "not_asked",
      ticket_id: null,
      waited_ms: 0,
    });
    expect((await person.list({})).tickets).toEqual([]);
  });
});

describe("asking", () => {
  test("[TERM-GATE-1] a no comes back as a non-zero exit with the person's words; the wait does not count", async () => {
    const folder = temporaryFolder();
    const { ask } = await openGate("notable");
    const agent = lineAgent(folder, [{ command: "rm -rf ../outside" }, { task_complete: true }]);
    const running = runAgent(agent, { gate: ask, limits: { totalTimeoutMs: 10_000 } });
    const id = await asked();
    // Longer than the agent's whole time, which is long enough for a slow machine.
    await new Promise((resolve) => setTimeout(resolve, 10_200));
    await person.reject(id, "Keep it, that is our backup");
    const { result, steps } = await running;
    expect([result.status, result.gate_wait_seconds > 10]).toEqual(["completed", true]);
    const [, second] = requestsOf(folder);
    expect(second).toMatchObject({ last_command: "rm -rf ../outside", exit_code: 126 });
    expect(second?.output).toMatch(/^\[term\] The command was not run\. .*Keep it, that is our backup/s);
    expect(steps[0]?.gate).toMatchObject({ allowed: false, status: "rejected", ticket_id: id });
  });

  test("[TERM-GATE-1] a yes is consumed before the command runs", async () => {
    const { ask } = await openGate("notable");
    const agent = lineAgent(temporaryFolder(), [{ command: "touch ../made; touch here; rm -f gone" }, { task_complete: true }]);
    const running = runAgent(agent, { gate: ask });
    const id = await asked();
    const ticket = await person.getTicket(id);
    expect(ticket).toMatchObject({ from: "agent:term", to: "human:alex", intent: { kind: "run_command" } });
    await approveTyped(person, id, "go ahead");
    const { result, work } = await running;
    expect([result.status, existsSync(join(work, "here"))]).toEqual(["completed", true]);
    const types = (await person.events({})).map((event) => event.payload.type);
    expect(types).toContain("ticket.consume");
  });

  test("[TERM-GATE-2] time alone opens nothing", async () => {
    const { ask } = await openGate("notable", 1);
    const verdict = await ask("rm -rf ../outside", "/project", "/project");
    const [ticket] = (await person.list({})).tickets;
    expect(verdict).toMatchObject({ allowed: false, status: "expired", ticket_id: ticket?.id, exit_code: 126 });
  });

  test("[TERM-GATE-2] a timer's yes is no yes, and says so", async () => {
    mkdirSync(join(process.env.HOME ?? "", ".hap"));
    // Long enough for a slow machine to show the ticket: what nobody was shown cannot approve itself.
    const lease = { ttl_seconds: 5, on_timeout: "auto_approve" };
    const rules = [{ id: "late", match: { command: "touch *" }, verdict: "ask", why: "w", lease }];
    writeFileSync(join(process.env.HOME ?? "", ".hap/policy.json"), JSON.stringify({ version: 1, rules }));
    await confirmPolicy(person);
    const { ask } = await openGate("notable");
    const waiting = ask("touch here", "/project", "/project");
    const id = await asked();
    await person.show(id);
    expect(await waiting).toMatchObject({
      allowed: false,
      status: "approved_by_timer",
      ticket_id: id,
      words: expect.stringMatching(/Time alone opens no gate/),
    });
    expect(await person.getTicket(id)).toMatchObject({
      state: "APPROVED",
      resolution: { actor: { kind: "timer" } },
      consumed: null,
    });
  });

  test("[TERM-GATE-1] what a person makes of a command runs in its place", async () => {
    const { ask } = await openGate("notable");
    const agent = lineAgent(temporaryFolder(), [{ command: "touch wrong; rm -f gone" }, { task_complete: true }]);
    const running = runAgent(agent, { gate: ask });
    await approveTyped(person, await asked(), "", { edits: { command: "touch right" } });
    const { work, steps } = await running;
    expect([existsSync(join(work, "right")), existsSync(join(work, "wrong"))]).toEqual([true, false]);
    expect(steps[0]).toMatchObject({ last_command: "touch right", gate: { status: "approved", edited_command: "touch right" } });
  });

  test("[TERM-GATE-2] what a policy denies is not even asked", async () => {
    const project = temporaryFolder();
    mkdirSync(join(project, ".hap"));
    const rules = [{ id: "no-curl", match: { command: ["curl*"] }, verdict: "deny", why: "Nothing is fetched here" }];
    writeFileSync(join(project, ".hap/policy.json"), JSON.stringify({ version: 1, rules }));
    const { ask } = await openGate("notable");
    expect(await ask("curl http://example.org", project, project)).toMatchObject({
      allowed: false,
      status: "denied",
      ticket_id: null,
      words: expect.stringMatching(/no-curl/),
    });
    expect((await person.list({})).tickets).toEqual([]);
  });

  test("[TERM-GATE-3] the user's policy answers first: its risk table counts, and its rules deny, allow and ask", async () => {
    const rules = [
      { id: "no-secrets", match: { command: ["cat secrets*"] }, verdict: "deny", why: "Not for agents" },
      { id: "tests", match: { command: ["npm test"] }, verdict: "allow", why: "Tests are fine" },
      { id: "lists", match: { command: ["ls /srv*"] }, verdict: "ask", why: "Somebody looks" },
    ];
    const write = async (risk: object) => {
      mkdirSync(join(process.env.HOME ?? "", ".hap"), { recursive: true });
      writeFileSync(join(process.env.HOME ?? "", ".hap/policy.json"), JSON.stringify({ version: 1, risk, rules }));
      await confirmPolicy(person);
    };
    const { ask } = await openGate("risk>=0.5");
    await write({ scope: { run_command: 0.5 } });
    // 0.4 x 0.5 + 0.4 x 0.3 + 0.2 x 0.5: below the line that the draft's own number is above.
    expect(await ask("touch here", "/project", "/project")).toMatchObject({ status: "not_asked", risk: 0.42, tier: "routine" });
    expect(await ask("npm test", "/project", "/project")).toMatchObject({ status: "not_asked", allowed: true });
    // Harmless, and below every line: a rule is a rule.
    expect(await ask("cat secrets.txt", "/project", "/project")).toMatchObject({
      allowed: false,
      status: "denied",
      words: expect.stringMatching(/Rule no-secrets forbids this: Not for agents/),
    });
    const listing = ask("ls /srv/data", "/project", "/project");
    await person.reject(await asked(), "not now");
    expect(await listing).toMatchObject({ allowed: false, status: "rejected" });
    await gate?.close();
    // A table under which every command is critical.
    await write({ scope: { run_command: 1 }, environment: { other: 1 } });
    const { ask: askCritical } = await openGate("critical");
    const touching = askCritical("touch here", "/project", "/project");
    await person.reject(await asked(), "no");
    expect(await touching).toMatchObject({ allowed: false, risk: 0.9, tier: "critical" });
  });

  test("[TERM-GATE-2] an interrupted run withdraws what it asked", async () => {
    const controller = new AbortController();
    gate = await makeGate({ rule: "notable", to: "human:alex", ttlSeconds: 600 }, { kind: "null" }, controller.signal);
    const waiting = gate.ask("rm -rf ../outside", "/project", "/project");
    const id = await asked();
    controller.abort();
    await gate.close();
    gate = undefined;
    expect(await waiting).toMatchObject({ allowed: false, exit_code: 126 });
    expect(await person.getTicket(id)).toMatchObject({ state: "CANCELED" });
  });

  test("[TERM-GATE-2] a gate that fails stays closed", async () => {
    const { ask, close } = await openGate("notable");
    await close();
    gate = undefined;
    expect(await ask("rm -rf ../outside", "/project", "/project")).toMatchObject({
      allowed: false,
      status: "gate_error",
      exit_code: 126,
    });
  });
});
