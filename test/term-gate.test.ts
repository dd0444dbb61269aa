// The gate against a real store: a person decides in another process's place, the harness only asks.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connectPerson, type PersonClient } from "@hap/sdk/person";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseGateRule } from "../packages/term/src/gate/gate-rule.ts";
import { type Gate, makeGate } from "../packages/term/src/gate/make-gate.ts";
import { lineAgent, requestsOf, runAgent, temporaryFolder } from "../packages/term/test/support.ts";

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
    const running = runAgent(agent, { gate: ask, limits: { totalTimeoutMs: 3_000 } });
    const id = await asked();
    await new Promise((resolve) => setTimeout(resolve, 3_200));
    await person.reject(id, "Keep it, that is our backup");
    const { result, steps } = await running;
    expect([result.status, result.gate_wait_seconds > 3]).toEqual(["completed", true]);
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
    await person.approve(id, "go ahead", { confirmed: true });
    const { result, work } = await running;
    expect([result.status, existsSync(join(work, "here"))]).toEqual(["completed", true]);
    const types = (await person.events({})).map((event) => event.payload.type);
    expect(types).toContain("ticket.consume");
  });

  test("[TERM-GATE-2] time alone opens nothing", async () => {
    const { ask } = await openGate("notable", 1);
    const waiting = ask("rm -rf ../outside", "/project", "/project");
    const id = await asked();
    expect(await waiting).toMatchObject({ allowed: false, status: "expired", ticket_id: id, exit_code: 126 });
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
