// The least evidence for a yes (D3): what a person's own keys and the confirmed policy demand beyond a bare word.
import { type AssuranceLevel, type Decision, HapError } from "@hap/protocol";
import type { Policies } from "../policies/policy.ts";
import type { TicketRecord } from "../tickets/record.ts";
import { readKey } from "./public-key.ts";
import type { CredentialRecord } from "./record.ts";

/** The least level by signature, or null where none is demanded. */
export type Demand = Extract<AssuranceLevel, "key" | "passkey"> | null;

/** Which keys of a person make a critical yes need a signature: any of them, or, in votes without a label, passkeys alone. */
export type DemandRule = "any key" | "passkeys";

/** What a yes to this ticket needs from the holder of these keys. Revoked ones count: revoking must not lower the bar. */
export function demandOn<T extends CredentialRecord>(
  record: TicketRecord,
  keys: readonly T[],
  anchored: (key: T) => boolean,
  policies: Policies | null,
  rule: DemandRule = "any key",
): Demand {
  if (record.ticket.tier === "critical") {
    const counting = rule === "any key" ? keys : keys.filter(({ kind }) => kind === "passkey");
    if (counting.some((key) => key.kind === "passkey" && anchored(key))) return "passkey";
    if (counting.length > 0) return "key";
  }
  const from = policies?.confirmed?.signature_from_risk;
  return from !== undefined && record.ticket.risk >= from ? "key" : null;
}

/** True for an SSH key outside hardware: an ssh-agent may hold it, which signs without asking. */
function mayBeAgentHeld({ kind, publicKey }: Pick<CredentialRecord, "kind" | "publicKey">): boolean {
  return kind === "ssh" && readKey("ssh", publicKey).application === null;
}

/** A confirmed policy may refuse such keys for critical tickets. */
export function guardAgentHeld(
  record: TicketRecord,
  decision: Decision,
  key: CredentialRecord | undefined,
  policies: Policies,
): void {
  if (policies.confirmed?.refuse_agent_held_keys !== true || record.ticket.tier !== "critical") return;
  if (decision === "reject" || decision === "request_changes" || key === undefined || !mayBeAgentHeld(key)) return;
  const { id } = record.ticket;
  throw new HapError(
    "assurance_too_low",
    `A yes to ${id} cannot be signed with this SSH key: an ssh-agent may hold it and sign without asking, and your policy refuses such keys for critical tickets. Use a passkey on the review page, or a hardware key (sk-ssh-ed25519).`,
    { ticket_id: id, field: "signature" },
  );
}
