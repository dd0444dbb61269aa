// The way through the store: the policy in force, then a person. Loaded only when the fast judgement does not allow the call.
// Nothing is decided here (D2); a yes is consumed, durably, before it is passed on (D17), and a timer's yes is none (D10).
import { type AgentClient, type AskInput, connectAgent, type Outcome } from "@hap/sdk/agent";
import type { Answer } from "../answer.ts";
import type { DescribedCall } from "../describe-call.ts";
import { HOSTS } from "../hosts.ts";
import type { Judgement } from "../judge.ts";
import type { HookOptions } from "../options.ts";
import { policyYes } from "../policy-yes.ts";
import type { HookEvent } from "../read-event.ts";
import { attach, lastRound } from "./attach.ts";
import { identify } from "./call-identity.ts";
import { modelsWords, ticketInput } from "./ticket-input.ts";
import { answerWith } from "./use-yes.ts";
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

/** What is done in bounded time once HAP is reached, and what may take as long as a person does. */
type Work<Opened, Result> = {
  open: (client: AgentClient) => Promise<Opened>;
  wait: (client: AgentClient, opened: Opened) => Promise<Result>;
};

/** Connect and open, both within one limit; then wait, and close afterwards, whatever happens. */
export async function withClient<Opened, Result>(options: HookOptions, work: Work<Opened, Result>): Promise<Result> {
  let client: AgentClient | null = null;
  const reach = async () => {
    client = await connectAgent(whoAsks(options));
    return { client, opened: await work.open(client) };
  };
  try {
    const reached = await within(Math.max(LEAST_REACH_MS, REACH_MS - performance.now()), "Reaching HAP", reach());
    return await work.wait(reached.client, reached.opened);
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

/** Ask the policy, and a person where it says so. */
export function askPerson(asking: Asking): Promise<Answer> {
  return waitForPerson(asking, (client) => open(client, asking));
}

/** Open or find a ticket, in bounded time, and wait for its end as long as the host allows. */
export function waitForPerson(
  asking: Omit<Asking, "judgement">,
  open: (client: AgentClient) => Promise<Opened | Answer>,
): Promise<Answer> {
  return withClient(asking.options, {
    open,
    async wait(client, opened) {
      if ("decision" in opened) return opened;
      const { ticket, identity, timerYes } = opened;
      const outcome = await client.wait(ticket.id, { timeoutMs: asking.options.waitSeconds * 1000 });
      return answerWith(client, outcome, { identity, timerYes, ...asking });
    },
  });
}

type Opened = { ticket: Outcome["ticket"]; identity: string; timerYes: boolean };

async function open(client: AgentClient, asking: Asking): Promise<Opened | Answer> {
  const { event, options, described, judgement } = asking;
  const { hash: identity, files } = identify(described, event.cwd, client.agent);
  const input = ticketInput(described, event, options, files);
  const verdict = await client.decideByPolicy(input, identity);
  if (verdict.verdict === "deny") return { decision: "deny", reason: `Rule ${verdict.rule} forbids this: ${verdict.why}` };
  // Files that arm the gate always ask, whatever a rule says.
  const armed = described.call.effects.includes("gate_files");
  if (verdict.verdict === "allow" && !armed) return policyYes(event, options, `Rule ${verdict.rule} allows this: ${verdict.why}`);
  if (verdict.rule === null && judgement.rule.verdict === "allow") return policyYes(event, options, judgement.rule.why);
  if (event.name === "PermissionRequest" && (await justApproved(client, identity, asking.now())))
    return { decision: "allow", reason: "A person approved this call a moment ago." };
  const lease = { ...input.lease, ...verdict.lease } as NonNullable<AskInput["lease"]>;
  const { ticket, opened } = await attach(
    client,
    identity,
    { ...input, lease },
    { now: asking.now(), timerYes: verdict.timer_yes },
  );
  const said = opened ? modelsWords(described.input, options) : null;
  if (said !== null) await client.note(ticket.id, said);
  return { ticket, identity, timerYes: verdict.timer_yes };
}

async function justApproved(client: AgentClient, identity: string, now: number): Promise<boolean> {
  const { last } = await lastRound(client, identity);
  if (last === null || last.consumed === null || last.consumed.call_hash !== identity) return false;
  return last.resolution?.actor.kind === "human" && now - Date.parse(last.consumed.at) <= SAME_CALL_MS;
}
