// The gate (D17), once for every caller: identify the call, ask the policy (D5), use a grant (D43), find or open its ticket, wait, use the yes.
// Nothing is decided here (D2). A yes is consumed, durably, before the caller hears of it; a timer's yes counts only by rule (D10).
import { hash } from "node:crypto";
import { callHash, type GrantUse, isOpen, type Ticket } from "@hap/protocol";
import type { AgentClient, AskInput } from "../agent-client.ts";
import { readOutcome } from "../outcome.ts";
import type { PolicyDecision } from "../types.ts";
import { callTicket, usedJustNow } from "./call-ticket.ts";
import type { GateCall, Gated, GateOptions } from "./gate-call.ts";
import { oneLine } from "./one-line.ts";
import { useOutcome } from "./use-outcome.ts";

/** The part of an agent's client that the gate needs. */
export type GateClient = Pick<
  AgentClient,
  "agent" | "cancel" | "consume" | "createTicket" | "decideByPolicy" | "getTicket" | "heard" | "note" | "useGrant" | "wait"
>;

/** May this call be made? An error means that it may not. */
export async function passGate(client: GateClient, call: GateCall, options: GateOptions = {}): Promise<Gated> {
  options.signal?.throwIfAborted();
  const identity = identify(client.agent, call, call.files ?? {});
  const input: AskInput = {
    ...call.ticket,
    ...(call.ticket.summary === undefined ? {} : { summary: oneLine(call.ticket.summary) }),
    ...(call.project === null ? {} : { project: call.project }),
  };
  const isAction = (input.ask?.type ?? "approval") === "approval";
  const rule = isAction ? await client.decideByPolicy(input, identity, call.seen) : null;
  const common = { identity, found: rule?.found ?? null };
  const passed = rule === null ? null : byRule(rule, options);
  if (passed !== null) return { ...common, ...passed };
  const grant = isAction ? await useGrant(client, call, { input, identity, options }) : null;
  if (grant !== null) return { ...common, ...openBy("grant", grant.words), grant };
  const now = (options.now ?? Date.now)();
  if (options.repeatsYesMs !== undefined) {
    const ticket = await usedJustNow(client, identity, now, options.repeatsYesMs);
    if (ticket !== null) return { ...common, ...openBy("person", "A person approved this call a moment ago."), ticket };
  }
  const timerYes = rule?.timer_yes ?? false;
  const { ticket, opened } = await callTicket(client, identity, withRule(input, rule), { now, timerYes });
  try {
    if (opened && (call.said ?? "") !== "") await client.note(ticket.id, call.said as string);
    const outcome = isOpen(ticket.state) ? await waitFor(client, ticket, rule, call, options) : readOutcome(ticket);
    const changed = () => call.filesNow !== undefined && identify(client.agent, call, call.filesNow()) !== identity;
    return { ...common, ...(await useOutcome(client, outcome, { identity, timerYes, changed, options })) };
  } catch (error) {
    if (options.signal?.aborted === true && opened && options.withdraw !== undefined)
      await client.cancel(ticket.id, options.withdraw).catch(() => {});
    throw error;
  }
}

function identify(agent: string, { tool, input, project }: GateCall, files: Record<string, string>): string {
  return callHash({ agent, project, tool, input, operands: files }, (data) => hash("sha256", data, "hex"));
}

type Passed = Pick<Extract<Gated, { open: true }>, "open" | "by" | "words" | "ticket" | "edits" | "answer">;
type Refused = Pick<Extract<Gated, { open: false }>, "open" | "status" | "words" | "ticket" | "outcome">;

function openBy(by: Passed["by"], words: string): Passed {
  return { open: true, by, words, ticket: null, edits: null, answer: null };
}

/** A grant that a person gave beforehand; never where the caller wants a person for each call. */
async function useGrant(
  client: GateClient,
  call: GateCall,
  { input, identity, options }: { input: AskInput; identity: string; options: GateOptions },
): Promise<GrantUse | null> {
  if (options.always === true) return null;
  const { repeatsYesMs } = options;
  return client.useGrant(input, identity, {
    ...call.seen,
    ...(repeatsYesMs === undefined ? {} : { repeat_ms: repeatsYesMs }),
  });
}

/** What the policy alone decides; null where a person is asked. */
function byRule(rule: PolicyDecision, { always = false, asks }: GateOptions): Passed | Refused | null {
  if (rule.verdict === "deny") {
    const words = rule.grant === null ? `Rule ${rule.rule} forbids this: ${rule.why}` : rule.why;
    return { open: false, status: "denied", words, ticket: null, outcome: null };
  }
  if (always) return null;
  if (rule.verdict === "allow") return openBy("rule", `Rule ${rule.rule} allows this: ${rule.why}`);
  return rule.rule === null && asks?.(rule.found) === false ? openBy("default", "") : null;
}

/** Whom to ask and for how long: a rule's word counts before the caller's. */
function withRule(input: AskInput, rule: PolicyDecision | null): AskInput {
  if (rule === null) return input;
  const lease = { ...input.lease, ...rule.lease };
  return {
    ...input,
    ...(rule.to === null ? {} : { to: rule.to }),
    ...(Object.keys(lease).length === 0 ? {} : { lease: lease as NonNullable<AskInput["lease"]> }),
  };
}

/** Where neither a rule nor the caller says how long a ticket lives, it lives as long as somebody waits for it (D15). */
function waitFor(client: GateClient, ticket: Ticket, rule: PolicyDecision | null, call: GateCall, options: GateOptions) {
  options.onTicket?.(ticket);
  const { timeoutMs, signal } = options;
  return client.wait(ticket.id, {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
    renew: rule?.lease.ttl_seconds === undefined && call.ticket.lease?.ttl_seconds === undefined,
  });
}
