// The way through the store: the gate of the SDK, and its answer in the host's terms. Loaded only when the fast judgement does not
// allow the call.
import { type AgentClient, connectAgent, type GateCall, type Gated, type GateOptions } from "@hap/sdk/agent";
import type { Answer } from "../answer.ts";
import type { DescribedCall } from "../describe-call.ts";
import { HOSTS } from "../hosts.ts";
import type { Judgement } from "../judge.ts";
import type { HookOptions } from "../options.ts";
import { policyYes } from "../policy-yes.ts";
import type { HookEvent, JsonObject } from "../read-event.ts";
import { withinTime } from "../within-time.ts";
import { gateCall } from "./gate-call.ts";
import { within } from "./within.ts";

/** A store or server that has not answered by then, counted from the start of the process, is out of reach: told within 10 s. */
const REACH_MS = 7_000;
const LEAST_REACH_MS = 1_000;
const CLOSE_MS = 1_000;
/** A host that asks again about the very call that was just approved gets the same answer. */
const SAME_CALL_MS = 60_000;

/** What one call of the hook is about. */
export type Asking = {
  event: HookEvent;
  options: HookOptions;
  described: DescribedCall;
  judgement: Judgement;
  now: () => number;
};

/**
 * Connect, work, and close afterwards, whatever happens. Connecting and everything up to `reached` must be done within one limit; what
 * comes after may take as long as a person does.
 */
export async function withClient<Result>(
  options: HookOptions,
  work: (client: AgentClient, reached: () => void) => Promise<Result>,
): Promise<Result> {
  let client: AgentClient | null = null;
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const run = async () => {
    client = await connectAgent(whoAsks(options));
    return work(client, resolve);
  };
  try {
    const working = run();
    await within(Math.max(LEAST_REACH_MS, REACH_MS - performance.now()), "Reaching HAP", Promise.race([reached, working]));
    return await working;
  } finally {
    await close(client);
  }
}

/** At a server a key says whose agent asks, unless the installation names one; a store takes the host's own name. */
function whoAsks({ agent, host, store }: HookOptions): Parameters<typeof connectAgent>[0] {
  if (store === null && (process.env.HAP_URL ?? "") !== "") return agent === null ? {} : { agent };
  return { agent: agent ?? HOSTS[host].agent, ...(store === null ? {} : { dbPath: store }) };
}

/** What was written is durable by now; a connection that does not close is left behind. */
async function close(client: AgentClient | null): Promise<void> {
  if (client === null) return;
  await within(CLOSE_MS, "Closing", client.close()).catch(() => {});
}

/** Pass a call through the gate: opened in bounded time, then waited for as long as the host allows. */
export function passGate(call: GateCall, options: HookOptions, how: GateOptions = {}): Promise<{ gated: Gated; agent: string }> {
  return withClient(options, async (client, reached) => {
    const timeoutMs = options.waitSeconds * 1000;
    return { gated: await client.gate(call, { timeoutMs, onTicket: reached, ...how }), agent: client.agent };
  });
}

/** Ask the policy, and a person where it says so. */
export async function askPerson({ event, options, described, judgement, now }: Asking): Promise<Answer> {
  const { input, call } = described;
  const { result: gateable } = withinTime(() => gateCall(described, event, options));
  const { gated, agent } = await passGate(gateable, options, {
    now,
    // Files that arm the gate always ask, whatever a rule says.
    always: call.effects.includes("gate_files"),
    asks: () => judgement.rule.verdict !== "allow",
    takesEdits: (edits) => Object.keys(edits).every((key) => Object.hasOwn(input, key)),
    // With --run the yes stays unused here: `hap run` consumes it, checks again and runs what the ticket holds.
    leavesUnused: (edits) => edits === null && options.run !== null && call.command !== null,
    ...(event.name === "PermissionRequest" ? { repeatsYesMs: SAME_CALL_MS } : {}),
  });
  if (!gated.open) return { decision: "deny", reason: gated.words };
  if (gated.by === "default") return policyYes(event, options, judgement.rule.why);
  if (gated.by === "rule") return policyYes(event, options, gated.words);
  const updatedInput = inputToRun(gated, described, options, agent);
  const yes = { decision: "allow", reason: gated.words, told: gated.words } as const;
  if (updatedInput === null) return yes;
  if (gated.edits !== null || !HOSTS[options.host].asksForItself || event.name !== "PreToolUse" || event.session === null)
    return { ...yes, updatedInput };
  // A yes together with another command was seen to carry the command of another hook: permission is asked for, and given for this.
  const { issue } = await import("../confine/issued.ts");
  issue(call.home, event.session, updatedInput);
  return { decision: "none", updatedInput, told: gated.words };
}

/** The input with a person's edits, or with `hap run` for the command; null where it stays as it is. */
function inputToRun(
  { edits, ticket }: Extract<Gated, { open: true }>,
  { input, call }: DescribedCall,
  options: HookOptions,
  agent: string,
): JsonObject | null {
  if (edits !== null) return { ...input, ...edits };
  if (ticket === null || ticket.consumed !== null || options.run === null || call.command === null) return null;
  return { ...input, command: runCommand(ticket.id, agent, options) };
}

/** The store, or the server whose key the host's own environment has to hold; a key is never written where a model reads. */
function runCommand(id: string, agent: string, { store, run }: HookOptions): string {
  const url = process.env.HAP_URL ?? "";
  const where = store !== null ? [`HAP_DB_PATH=${quote(store)}`] : url === "" ? [] : [`HAP_URL=${quote(url)}`];
  return [...where, `HAP_AGENT_ID=${quote(agent)}`, run, id].join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
