// The least evidence for a yes (D3): what a person's own keys and the confirmed policy demand beyond a bare word.
import type { AssuranceLevel } from "@hap/protocol";
import type { Policies } from "../policy.ts";
import type { TicketRecord } from "../record.ts";
import type { CredentialRecord } from "./record.ts";

/** The least level by signature, or null where none is demanded. */
export type Demand = Extract<AssuranceLevel, "key" | "passkey"> | null;

/** What a yes to this ticket needs from the holder of these keys. Revoked ones count: revoking must not lower the bar. */
export function demandOn<T extends CredentialRecord>(
  record: TicketRecord,
  keys: readonly T[],
  anchored: (key: T) => boolean,
  policies: Policies | null,
): Demand {
  if (record.ticket.tier === "critical") {
    const passkeys = keys.filter(({ kind }) => kind === "passkey");
    if (passkeys.some(anchored)) return "passkey";
    if (passkeys.length > 0) return "key";
  }
  const from = policies?.confirmed?.signature_from_risk;
  return from !== undefined && record.ticket.risk >= from ? "key" : null;
}
