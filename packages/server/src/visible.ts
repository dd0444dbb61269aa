// What a person without a role may see: their own. Owners, approvers and auditors see everything (D4).
import type { HapEngine } from "@hap/core";
import { HapError } from "@hap/protocol";
import type { Principal } from "./auth/principal.ts";

/** Refuse, as if it were not there, a ticket that is none of theirs. Who sees all is told by the engine when there is none. */
export function assertMayRead(engine: HapEngine, principal: Principal, id: string): void {
  if (seesAll(principal)) return;
  const parties = engine.parties(id);
  if (parties !== null && mayRead(principal, parties)) return;
  throw new HapError("ticket_not_found", `There is no ticket ${id.slice(0, 80)} that you may see.`, { ticket_id: id });
}

/** For those who do not see everybody's. */
function mayRead(principal: Principal, parties: { from: string; to: string; escalateTo: string[] }): boolean {
  if (principal.kind === "agent") return parties.from === principal.agent;
  return parties.to === principal.person || parties.escalateTo.includes(principal.person);
}

/** True for those who see everybody's. */
export function seesAll(principal: Principal): boolean {
  return principal.kind === "agent" ? principal.scopes.includes("read_all") : principal.role !== null;
}
