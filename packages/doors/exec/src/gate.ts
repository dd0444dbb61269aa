// From a ticket's end to a go or a refusal: only a person's yes opens the gate, or a timer's where a confirmed rule of the user
// says so for this kind (D10). What was approved is read after the person's edits, and its hash must be the one they said yes to.
import { canonicalJson, HapError, hashBytes, hashIntent, type Json, type Ticket } from "@hap/protocol";
import type { AgentClient, Outcome } from "@hap/sdk/agent";
import { sha256 } from "./hash-file.ts";

/** What became of it: the command's own exit code (without a ticket where a rule allowed it), or how the ticket ended without anything being started. */
export type Done = { ran: true; code: number; ticket: Ticket | null } | { ran: false; outcome: Outcome };

/** True when the gate is open for this outcome. */
export async function isYes(client: AgentClient, outcome: Outcome, callHash: string): Promise<boolean> {
  if (outcome.status === "approved") return true;
  if (outcome.status !== "approved_by_timer") return false;
  const { intent, project, artifact } = outcome.ticket;
  const verdict = await client.decideByPolicy(
    {
      kind: intent.kind,
      summary: intent.summary,
      details: intent.details,
      ...(project === null ? {} : { project }),
      ...(artifact.environment === null ? {} : { environment: artifact.environment }),
    },
    callHash,
  );
  return verdict.timer_yes;
}

/** The details that the person said yes to, their edits included; refused when their hash is another. */
export async function approvedDetails(client: AgentClient, { ticket }: Outcome): Promise<Record<string, Json>> {
  const { intent, artifact, resolution } = ticket;
  if (artifact.opaque)
    throw new HapError("binding_stale", `${ticket.id} names its content by a hash only; HAP runs nothing that it cannot show.`, {
      ticket_id: ticket.id,
    });
  const edits = (resolution?.edits ?? {}) as Record<string, Json>;
  const details = { ...(intent.details as Record<string, Json>), ...edits };
  const signed = resolution?.edits == null ? artifact.bytes_hash : await signedHash(client, ticket.id);
  const body = artifact.body === null ? undefined : details[artifact.body];
  const actual =
    artifact.body !== null && typeof body === "string"
      ? hashBytes(artifact.body, body, sha256).bytes_hash
      : hashIntent({ kind: intent.kind, summary: intent.summary, details, confidence: intent.confidence }, sha256);
  if (actual === signed) return details;
  throw new HapError("binding_stale", `What ${ticket.id} holds is not what was approved: its hash is another. Ask again.`, {
    ticket_id: ticket.id,
    approved: signed,
    actual,
  });
}

/** The hash of the bytes after the person's edits, from the event in which they said yes. */
async function signedHash(client: AgentClient, id: string): Promise<string | null> {
  for (let after: string | undefined; ; ) {
    const events = await client.events({ ...(after === undefined ? {} : { after }), limit: 1000 });
    for (const { payload } of events)
      if (payload.type === "intent.sign" && payload.intent.ticket_id === id && payload.intent.decision === "approve")
        return payload.intent.bytes_hash;
    after = events.at(-1)?.cursor;
    if (after === undefined) return null;
  }
}

/** Which keys the person changed. */
export function editedKeys({ ticket }: Outcome): string[] {
  const { edits } = ticket.resolution ?? {};
  const before = ticket.intent.details as Record<string, Json>;
  return Object.entries((edits ?? {}) as Record<string, Json>)
    .filter(([key, value]) => !Object.hasOwn(before, key) || canonicalJson(before[key] as Json) !== canonicalJson(value))
    .map(([key]) => key);
}

/** Refuse what has changed since the yes: said on the ticket, and to the agent. */
export async function refuseStale(client: AgentClient, id: string, reasons: readonly string[]): Promise<never> {
  const why = reasons.join(" ");
  await client.note(id, `Not run: it is no longer what was approved. ${why}`);
  throw new HapError(
    "binding_stale",
    `${id} was approved, but it is no longer what would run, so nothing was started. ${why} Ask again.`,
    {
      ticket_id: id,
      reasons: [...reasons],
    },
  );
}
