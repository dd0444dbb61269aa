// Rows from before the log named people (D35): each gets its event when a newer HAP first opens the store. What they said until then
// is unproven, and `hap verify` says so.
import { type Json, type NewEvent, prefixedHash } from "@hap/protocol";
import { requestDigest } from "../people/requests.ts";
import { rolesIn } from "../people/roles.ts";
import type { StoreReader } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import { sha256 } from "../transaction/facts.ts";
import type { Session } from "../transaction/session.ts";
import { ContentWriter, type NewContent } from "./contents.ts";

/** The mark that a migration leaves in a store that has such rows. */
const PENDING = "import_pending";

/** True when a store waits for its rows to be imported. */
export function importPending(store: StoreReader): boolean {
  return store.config(PENDING) !== undefined;
}

/** One row: its event, the texts of it, and how the row learns the event's place. */
type Imported = { event: NewEvent; contents?: readonly NewContent[]; keep?: (seq: number) => void };

/** Append `log.imported` and an event for each row, once. */
export function importRows(session: Session): void {
  if (!importPending(session.tx)) return;
  session.tx.setConfig(PENDING, null);
  const rows = [...names(session), ...accounts(session), ...owners(session), ...sessions(session), ...requests(session)];
  const all = [...rows, ...anchors(session)];
  session.commitApart([{ type: "log.imported", events: all.length }]);
  for (const { event, contents, keep } of all) {
    const [{ seq }] = session.commitApart([event] as const, contents ?? []);
    keep?.(seq);
  }
}

/** The directory, people whom the confirmed policy names and nobody addressed yet, and their roles. */
function names(session: Session): Imported[] {
  const { tx } = session;
  const known = new Map(tx.listDirectory().map((row) => [row.name, row]));
  const text = tx.config("trusted_policy_text");
  const roles = rolesIn(text);
  for (const name of roles.keys())
    if (!known.has(name)) known.set(name, { handle: session.names.id("human:"), name, created_at: toIso(session.now), seq: 0 });
  const entries = [...known.values()].map((row): Imported => {
    const { ref, contents } = nameText(session, row.name);
    const event = { type: "directory.add", handle: row.handle, name: ref, since: row.created_at } as const;
    return { event, contents, keep: (seq) => tx.putName({ ...row, seq }) };
  });
  const file_hash = prefixedHash(text ?? "", sha256);
  const given = [...roles].map(([name, role]): Imported => {
    const person = known.get(name)?.handle as string;
    return { event: { type: "role.set", person, role, file_hash } };
  });
  return [...entries, ...given];
}

function nameText(session: Session, text: string): { ref: string; contents: readonly NewContent[] } {
  const writer = new ContentWriter(session.names);
  return { ref: writer.text("name", text), contents: writer.made };
}

function accounts(session: Session): Imported[] {
  return session.tx.listSubjects().map((row): Imported => {
    const { issuer, subject, person, created_at: since } = row;
    const writer = new ContentWriter(session.names);
    const account = writer.json("account", { issuer, subject } as Json);
    return {
      event: { type: "account.link", person, account, since, from: null, trust: session.trust },
      contents: writer.made,
      keep: (seq) => session.tx.putSubject({ ...row, seq }),
    };
  });
}

function owners(session: Session): Imported[] {
  return session.tx.listAgentOwners().map(({ agent, owner }): Imported => ({ event: { type: "agent.own", agent, owner } }));
}

function sessions(session: Session): Imported[] {
  return session.tx.listSessions().map(({ hash, person, kind, how, createdAt }): Imported => {
    return { event: { type: "session.begin", session_hash: hash, person, kind, how, began_at: toIso(createdAt) } };
  });
}

function requests(session: Session): Imported[] {
  const rows = session.tx.listRequests();
  session.tx.dropIdempotent(Number.MAX_SAFE_INTEGER);
  return rows.map((row): Imported => {
    const salted = { ...row, salt: session.names.salt() };
    return {
      event: { type: "request.keep", digest: requestDigest(salted), kept_at: toIso(row.createdAt) },
      keep: (seq) => session.tx.putRequest({ ...salted, seq }),
    };
  });
}

function anchors(session: Session): Imported[] {
  return session.tx.listAnchors().flatMap(({ ticketSeq, wall, uptime }): Imported[] => {
    const ticket = session.tx.ticketBySeq(ticketSeq)?.ticket.id;
    return ticket === undefined ? [] : [{ event: { type: "clock.anchor", ticket, wall_at: toIso(wall), uptime_ms: uptime } }];
  });
}
