// Who calls an operation on an engine, and what they may see (D2, D4).
import type { HapEngine } from "@hap/core";
import { type AssuranceLevel, HapError } from "@hap/protocol";

type Common = {
  engine: HapEngine;
  /** Sees everybody's tickets: a person at their own store or with a role, a key with the scope `read_all`. */
  readsAll: boolean;
  /** Aborts when the caller is gone. */
  readonly signal?: AbortSignal | undefined;
};

/** An agent. `owner` is the agent whose API key it came with, null on an embedded store. */
export type AgentCaller = Common & { kind: "agent"; agent: string; owner: string | null };

/** A person; `assurance` says how well the caller knows that it is this person (D3). */
export type PersonCaller = Common & { kind: "person"; person: string; assurance: AssuranceLevel };

/** Whoever calls. */
export type Caller = AgentCaller | PersonCaller;

/** Refuse a ticket that the caller may not see as if it did not exist. */
export function assertMayRead(caller: Caller, id: string): void {
  if (caller.readsAll) return;
  const parties = caller.engine.parties(id);
  if (parties !== null && mayRead(caller, parties)) return;
  throw new HapError("ticket_not_found", `There is no ticket ${id.slice(0, 80)} that you may see.`, { ticket_id: id });
}

function mayRead(caller: Caller, parties: { from: string; to: string; escalateTo: string[]; voters: string[] }): boolean {
  if (caller.kind === "agent") return parties.from === caller.agent;
  return [parties.to, ...parties.escalateTo, ...parties.voters].includes(caller.person);
}
