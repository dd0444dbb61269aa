// `agent.gate`: one set of rules for every caller that lets an agent's call through, embedded and over a server alike.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { confirmPolicy } from "../../../test/support/confirm-policy.ts";
import type { AgentClient, GateCall, Gated, GateOptions, PersonClient } from "../src/index.ts";
import { refused, sdkWorld, WAYS } from "./world.ts";

const MINUTE = 60_000;

describe.each(WAYS)("over %s", (way) => {
  let made: ReturnType<typeof sdkWorld>;
  let agent: AgentClient;
  let person: PersonClient;

  const start = async (real: boolean) => {
    made = sdkWorld({ over: way, real });
    agent = await made.agent();
    person = await made.person();
  };
  beforeEach(() => start(false));
  afterEach(() => made.remove());

  const call = (more: Partial<GateCall> = {}): GateCall => ({
    tool: "Bash",
    input: { command: "make" },
    project: null,
    ticket: { to: "human:alex", kind: "run_command", summary: "Run: make", details: { command: "make" } },
    ...more,
  });
  const now = () => made.world.now();
  const gate = (more: Partial<GateCall> = {}, options: GateOptions = {}) => agent.gate(call(more), { now, ...options });
  /** Ask, and let a person act on the ticket once it is there. */
  const decided = async (act: (id: string) => Promise<unknown>, more: Partial<GateCall> = {}, options: GateOptions = {}) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const gated = gate(more, { onTicket: ({ id }) => resolve(id), ...options });
    await act(await Promise.race([promise, gated.then(() => Promise.reject(new Error("nobody was asked")))]));
    return gated;
  };
  const tickets = async () => (await person.list({})).tickets;
  const closed = (gated: Gated) => {
    if (gated.open) throw new Error(`opened: ${gated.words}`);
    return gated;
  };
  const opened = (gated: Gated) => {
    if (!gated.open) throw new Error(`closed: ${gated.words}`);
    return gated;
  };
  const trust = async (...rules: object[]) => {
    mkdirSync(join(made.folder, ".hap"), { recursive: true });
    writeFileSync(
      join(made.folder, ".hap", "policy.json"),
      JSON.stringify({ version: 1, rules: rules.map((rule) => ({ id: "r", match: {}, why: "because", ...rule })) }),
    );
    await confirmPolicy(await made.owner());
  };

  it("[GATE-USE-1] a person's yes opens it, consumed for this very call before the caller hears of it", async () => {
    const gated = opened(await decided((id) => person.approve(id, "go on")));
    expect(gated).toMatchObject({ by: "person", words: "Approved by human:alex. They said: go on", edits: null });
    const [ticket] = await tickets();
    expect(ticket).toMatchObject({ id: gated.ticket?.id, consumed: { by: "agent:ci", call_hash: gated.identity } });
    // A used yes is used: the next call asks anew.
    expect(closed(await gate({}, { timeoutMs: 0 }))).toMatchObject({ status: "open" });
    expect(await tickets()).toHaveLength(2);
  });

  it("[GATE-USE-1] of two waiting for one ticket, one gets through", async () => {
    const second = await made.agent();
    const waiting: string[] = [];
    const both = [agent, second].map((client) => client.gate(call(), { now, onTicket: ({ id }) => void waiting.push(id) }));
    await expect.poll(() => waiting.length, { timeout: 45_000 }).toBe(2);
    expect(new Set(waiting).size).toBe(1);
    await person.approve(waiting[0] as string);
    const answers = await Promise.all(both);
    expect(answers.map(({ open }) => open).sort()).toEqual([false, true]);
    const loser = closed(answers.find(({ open }) => !open) as Gated);
    expect(loser).toMatchObject({ status: "used", words: expect.stringContaining("was used by agent:ci") });
  });

  it("[GATE-REUSE-1] a yes that came after the caller gave up counts for 15 minutes, once", async () => {
    const pending = closed(await gate({}, { timeoutMs: 0 }));
    expect(pending).toMatchObject({
      status: "open",
      words: expect.stringMatching(/^Still pending, tk_.*Make the same call again/s),
    });
    const id = pending.ticket?.id as string;
    await person.approve(id);
    made.world.advance(15 * MINUTE);
    expect(opened(await gate()).ticket?.id).toBe(id);
    const late = closed(await gate({ input: "late" }, { timeoutMs: 0 })).ticket?.id as string;
    await person.approve(late);
    made.world.advance(15 * MINUTE + 1);
    expect(closed(await gate({ input: "late" }, { timeoutMs: 0 })).ticket?.id).not.toBe(late);
  });

  it.each([
    ["rejected", "reject", "Rejected by human:alex: do not do this. They said: not today"],
    ["changes_requested", "requestChanges", "human:alex wants changes before this is approved. They said: not today"],
    ["canceled", "cancel", "Canceled by human:alex"],
  ] as const)("[GATE-REPEAT-1] %s is told again for 10 minutes without asking again", async (status, verb, words) => {
    const first = closed(await decided((id) => person[verb](id, "not today")));
    expect(first).toMatchObject({ status, words: expect.stringContaining(words) });
    expect((await tickets())[0]?.heard_at).not.toBeNull();
    made.world.advance(10 * MINUTE);
    expect(closed(await gate())).toMatchObject({ status, words: first.words });
    expect(await tickets()).toHaveLength(1);
    made.world.advance(1);
    expect(closed(await gate({}, { timeoutMs: 0 }))).toMatchObject({ status: "open" });
    expect(await tickets()).toHaveLength(2);
  });

  it("[GATE-POLICY-1] a rule denies or allows without a ticket; what the caller insists on asks all the same", async () => {
    await trust(
      { id: "no", match: { command: "rm*" }, verdict: "deny" },
      { id: "yes", match: { command: "ls" }, verdict: "allow" },
    );
    const of = (command: string) => ({ input: { command }, ticket: { ...call().ticket, details: { command } } });
    expect(closed(await gate(of("rm x")))).toMatchObject({
      status: "denied",
      words: "Rule no forbids this: because",
      ticket: null,
    });
    expect(opened(await gate(of("ls")))).toMatchObject({ by: "rule", words: "Rule yes allows this: because", ticket: null });
    expect(opened(await gate(of("pwd"), { asks: () => false }))).toMatchObject({ by: "default", ticket: null });
    expect(await tickets()).toEqual([]);
    expect(closed(await gate(of("ls"), { always: true, timeoutMs: 0 }))).toMatchObject({ status: "open" });
    expect(closed(await gate(of("rm x"), { always: true }))).toMatchObject({ status: "denied" });
    expect(closed(await gate(of("pwd"), { asks: ({ tier }) => tier !== "critical", timeoutMs: 0 }))).toMatchObject({
      status: "open",
    });
  });

  it("[GATE-POLICY-1] a rule says whom to ask and for how long before the caller does", async () => {
    await trust({ verdict: "ask", to: "human:sam", lease: { ttl_seconds: 77 } });
    const { ticket } = closed(await gate({ ticket: { ...call().ticket, lease: { ttl_seconds: 5 } } }, { timeoutMs: 0 }));
    expect(ticket).toMatchObject({ to: "human:sam", lease: { ttl_seconds: 77 } });
  });

  it("[GATE-EDITS-1] edits come back where the caller can apply them; else the call is refused with them", async () => {
    const ticket = { ...call().ticket, ask: { type: "approval", allow_edits: true } as const };
    const edit = (id: string) => person.approve(id, "", { edits: { command: "make -n" } });
    const fits = opened(await decided(edit, { ticket }, { takesEdits: (edits) => Object.hasOwn(edits, "command") }));
    expect(fits).toMatchObject({ edits: { command: "make -n" }, ticket: { consumed: { call_hash: fits.identity } } });
    const not = closed(await decided(edit, { ticket }));
    expect(not).toMatchObject({ status: "approved_with_edits", words: expect.stringContaining('{"command":"make -n"}') });
    expect(await person.getTicket(not.ticket?.id as string)).toMatchObject({ consumed: null, heard_at: expect.any(String) });
  });

  it("[GATE-STALE-1] a yes is not used for files that have changed since, and the ticket says so", async () => {
    let bytes = "sha256:old";
    const more = { files: { "/a": bytes }, filesNow: () => ({ "/a": bytes }) };
    const gated = closed(
      await decided(async (id) => {
        bytes = "sha256:new";
        await person.approve(id);
      }, more),
    );
    expect(gated).toMatchObject({ status: "stale", words: expect.stringContaining("changed while the approval was awaited") });
    expect((await tickets())[0]?.consumed).toBeNull();
    expect(await person.history(gated.ticket?.id as string)).toContainEqual(expect.objectContaining({ type: "ticket.note" }));
    // Other bytes are another call.
    expect(closed(await gate({ files: { "/a": bytes } }, { timeoutMs: 0 })).ticket?.id).not.toBe(gated.ticket?.id);
  });

  it("[GATE-USE-1] a caller that consumes by itself gets the yes unused", async () => {
    const gated = opened(await decided((id) => person.approve(id), {}, { leavesUnused: () => true }));
    expect(gated.ticket?.consumed).toBeNull();
    expect((await agent.consume(gated.ticket?.id as string, gated.identity)).consumed?.call_hash).toBe(gated.identity);
  });

  it("[GATE-USE-1] a host that asks twice about one call is answered twice, for as long as it says", async () => {
    const first = opened(await decided((id) => person.approve(id)));
    made.world.advance(MINUTE);
    expect(opened(await gate({}, { repeatsYesMs: MINUTE })).ticket?.id).toBe(first.ticket?.id);
    made.world.advance(1);
    expect(closed(await gate({}, { repeatsYesMs: MINUTE, timeoutMs: 0 })).ticket?.id).not.toBe(first.ticket?.id);
  });

  it("[GATE-FORGED-1] a ticket of other content under the id of the call does not answer it", async () => {
    const foreseen = closed(await gate({}, { timeoutMs: 0 })).ticket?.id as string;
    await made.remove();
    await start(false);
    await agent.createTicket({ id: foreseen, to: "human:alex", summary: "Something nice" });
    await person.approve(foreseen);
    const gated = closed(await gate({}, { timeoutMs: 0 }));
    expect(gated).toMatchObject({ status: "open" });
    expect(gated.ticket?.id).not.toBe(foreseen);
  });

  it("[GATE-ABORT-1] an interrupted call withdraws what it opened if it says so, and else leaves it", async () => {
    for (const [withdraw, state] of [
      ["the run was interrupted", "CANCELED"],
      [undefined, "DELIVERED"],
    ] as const) {
      const controller = new AbortController();
      const asked = decided(
        async () => controller.abort(),
        { input: state },
        {
          signal: controller.signal,
          ...(withdraw === undefined ? {} : { withdraw }),
        },
      );
      await expect(asked).rejects.toThrow(/abort/);
      expect((await tickets()).map((ticket) => ticket.state)).toContain(state);
    }
    const aborted = AbortSignal.abort();
    await expect(gate({ input: "late" }, { signal: aborted })).rejects.toThrow(/abort/);
    expect(await tickets()).toHaveLength(2);
  });

  it("[GATE-SUMMARY-1] a summary is one line of at most 200 characters, and the model's words are a note", async () => {
    const summary = `Run: a\n\u0007b ${"😀".repeat(300)}`;
    const { ticket } = closed(await gate({ ticket: { ...call().ticket, summary }, said: "Let me try" }, { timeoutMs: 0 }));
    expect(ticket?.intent.summary).toBe(`Run: a b ${"😀".repeat(190)}…`);
    expect(await person.history(ticket?.id as string)).toContainEqual(expect.objectContaining({ note: "Let me try" }));
    // Found again, it is not noted again.
    await gate({ ticket: { ...call().ticket, summary }, said: "Once more" }, { timeoutMs: 0 });
    expect(JSON.stringify(await person.history(ticket?.id as string))).not.toContain("Once more");
  });

  it("[GATE-USE-1] a question is no action: no rule answers it, and its answer is used once", async () => {
    await trust({ verdict: "deny", match: { kind: "nothing" } }, { id: "q", verdict: "allow", match: { kind: "question" } });
    const ticket = { to: "human:alex", kind: "question", summary: "Which?", ask: { type: "text", prompt: "Which?" } } as const;
    const gated = opened(await decided((id) => person.answer(id, "that one"), { ticket }));
    expect(gated).toMatchObject({ by: "person", answer: { type: "text", text: "that one" }, found: null });
    expect(gated.ticket?.consumed).not.toBeNull();
  });

  it("[GATE-USE-1] an error leaves it closed", async () => {
    mkdirSync(join(made.folder, ".hap"), { recursive: true });
    writeFileSync(join(made.folder, ".hap", "policy.json"), "{");
    expect((await refused(gate())).code).toBe("invalid_policy");
    expect(await tickets()).toEqual([]);
  });

  it("[GATE-TIMER-1] a timer's yes opens nothing, unless a confirmed rule lets it count", async () => {
    await made.remove();
    await start(true);
    const real = { now: Date.now };
    // Long enough for a slow machine to show the ticket: what nobody was shown cannot approve itself.
    const lease = { ttl_seconds: 3, on_timeout: "auto_approve" };
    await trust(
      { id: "plain", verdict: "ask", match: { command: "a" }, lease },
      { id: "granted", verdict: "ask", match: { command: "b" }, lease, timer_yes: true },
    );
    const of = (command: string) => ({ input: { command }, ticket: { ...call().ticket, details: { command } } });
    const [plain, granted] = await Promise.all(["a", "b"].map((command) => decided((id) => person.show(id), of(command), real)));
    expect(closed(plain as Gated)).toMatchObject({
      status: "approved_by_timer",
      words: expect.stringContaining("Time alone opens no gate"),
    });
    expect(opened(granted as Gated)).toMatchObject({ by: "timer", ticket: { consumed: { by: "agent:ci" } } });
  });
});
