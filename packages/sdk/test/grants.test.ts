// Grants through the two clients (D43), embedded and over a server: a person makes them, the gate uses them, an agent only lists them.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentClient, GateCall, GateOptions, PersonClient } from "../src/index.ts";
import { refused, sdkWorld, WAYS } from "./world.ts";

describe.each(WAYS)("over %s", (way) => {
  let made: ReturnType<typeof sdkWorld>;
  let agent: AgentClient;
  let person: PersonClient;

  beforeEach(async () => {
    made = sdkWorld({ over: way });
    agent = await made.agent();
    person = await made.person();
  });
  afterEach(() => made.remove());

  const SCOPE = { agent: "agent:ci", commands: ["make *"], seconds: 3600, uses: 2 };
  /** At the store itself: over a server a token cannot get the phrase. */
  const grant = async (input: Parameters<PersonClient["beginGrant"]>[0] = SCOPE) => {
    const owner = await made.owner();
    const { statement, needs } = await owner.beginGrant(input);
    const { nonce } = statement;
    return owner.createGrant({ nonce, ...(needs === null ? {} : { phrase: (await owner.issueGrantPhrase(nonce)).phrase }) });
  };
  const call = (command: string, more: Partial<GateCall> = {}): GateCall => ({
    tool: "Bash",
    input: { command },
    project: null,
    ticket: { to: "human:alex", kind: "run_command", summary: `Run: ${command}`, details: { command } },
    ...more,
  });
  const gate = (command: string, more: Partial<GateCall> = {}, options: GateOptions = {}) =>
    agent.gate(call(command, more), { now: () => made.world.now(), timeoutMs: 0, ...options });

  it("[GRANT-GATE-1] the gate uses a grant before it asks, as often as it allows, and names it", async () => {
    const { id } = await grant();
    const first = await gate("make test");
    expect(first).toMatchObject({ open: true, by: "grant", ticket: null, grant: { grant_id: id, left: 1 } });
    expect(first.words).toContain("human:alex granted this");
    expect(await gate("make test")).toMatchObject({ open: true, by: "grant", grant: { left: 0 } });
    expect(await gate("make test")).toMatchObject({ open: false, status: "open" });
    expect((await person.grant(id)).journal.map(({ call_hash }) => call_hash)).toEqual([first.identity, first.identity]);
  });

  it("[GRANT-GATE-1] a caller that wants a person for each call, or whose own look says more, gets no grant", async () => {
    const { id } = await grant();
    expect(await gate("make a", {}, { always: true })).toMatchObject({ open: false, status: "open" });
    expect(await gate("make b", { seen: { effects: ["gate_files"] } })).toMatchObject({ open: false });
    expect(await gate("make c", { seen: { trusted: false } })).toMatchObject({ open: false });
    expect(await gate("make d", {}, { asks: () => false })).toMatchObject({ open: true, by: "default" });
    expect((await person.grant(id)).used).toBe(0);
  });

  it("[GRANT-REPEAT-1] a host that asks twice about one call uses it once", async () => {
    const { id } = await grant();
    await gate("make test");
    expect(await gate("make test", {}, { repeatsYesMs: 60_000 })).toMatchObject({ open: true, by: "grant" });
    expect((await person.grant(id)).used).toBe(1);
  });

  it("[GRANT-DENY-1] a denial closes the gate in its own words", async () => {
    const { id } = await grant({ verdict: "deny", commands: ["make *"], seconds: null });
    const closed = await gate("make deploy");
    expect(closed).toMatchObject({ open: false, status: "denied", words: expect.stringContaining(id) });
  });

  it("[GRANT-AGENT-1] an agent lists what is about it, and cannot make, preview or end a grant", async () => {
    const { id } = await grant();
    await grant({ ...SCOPE, agent: "agent:other" });
    expect((await agent.grants()).map((one) => one.id)).toEqual([id]);
    expect((await agent.grants({ state: "all", agent: "agent:other" })).map((one) => one.id)).toEqual([id]);
    for (const name of ["beginGrant", "createGrant", "endGrant", "issueGrantPhrase", "previewGrant", "proposeGrant"])
      expect(name in agent).toBe(false);
    expect(await person.grants()).toHaveLength(2);
    await person.endGrant(id);
    expect(await agent.grants()).toEqual([]);
    expect((await refused(person.endGrant(id))).code).toBe("wrong_state");
  });

  it("[GRANT-API-1] what is begun says what it needs and what it would have answered", async () => {
    await gate("make test");
    const begun = await person.beginGrant(SCOPE);
    expect(begun).toMatchObject({
      needs: "phrase",
      words: "agent:ci may run `make *`, at most 2 times.",
      preview: { tickets: 1 },
    });
    expect(begun.preview.matches).toHaveLength(1);
    const [ticket] = (await person.list()).tickets;
    const proposal = await person.proposeGrant(ticket?.id ?? "", { seconds: 60 });
    expect(proposal.input.commands).toEqual(["make test"]);
    if (way === "a server") expect((await refused(person.issueGrantPhrase(begun.statement.nonce))).code).toBe("page_needed");
  });

  it("[MEMBRANE-GROUP-1] tickets that are alike are decided together, each in the log; others are refused", async () => {
    const open = async (command: string, more = {}) =>
      (await agent.createTicket({ to: "human:alex", kind: "run_command", summary: command, details: { command }, ...more })).id;
    const [first, second, third] = [await open("make a"), await open("make b"), await open("make c")];
    const critical = await open("sudo reboot");
    expect((await refused(person.decideGroup([first, critical], "approve"))).code).toBe("wrong_state");
    expect((await refused(person.decideGroup([first, await open("x", { kind: "deploy" })], "approve"))).code).toBe("wrong_state");
    await person.reject(third, "no");
    const results = await person.decideGroup([first, second, third, first], "approve", "all of them");
    expect(results.map(({ code }) => code)).toEqual([null, null, "already_decided"]);
    const tickets = (await person.list({})).tickets;
    for (const id of [first, second])
      expect(tickets.find((one) => one.id === id)?.resolution).toMatchObject({ outcome: "approved", comment: "all of them" });
    expect(tickets.find((one) => one.id === critical)?.resolution).toBeNull();
    const votes = (await person.events({ limit: 1000 })).filter(({ type }) => type === "intent.sign");
    expect(votes).toHaveLength(3);
  });
});
