// Taking over a store of the 0.1 draft (D36): open tickets wait again, ended ones are kept as words. The draft's decisions carry no
// evidence, so none of them becomes a decision here, and nothing can be run on the strength of one.
import {
  type CreateTicketInput,
  type DraftImport,
  HapError,
  ID_PATTERNS,
  isHapError,
  type Json,
  PRIORITIES,
  type Priority,
  TIMEOUT_ACTIONS,
  type TimeoutAction,
} from "@hap/protocol";
import { sha256 } from "../transaction/facts.ts";
import { type DraftEvent, type DraftStore, type DraftTicket, readDraftStore } from "./read-draft-store.ts";

/** How to import: `dryRun` writes nothing; `unverified` takes a store whose chain is broken. */
export type ImportOptions = { dryRun: boolean; unverified: boolean };
/** A ticket to be written: `note` says where it comes from, `end` how it ended, or null while it is open. */
export type Imported = { input: CreateTicketInput; note: string; end: string | null };
/** What importing does to the store. */
export type ImportTarget = { has: (id: string) => boolean; check: (ticket: Imported) => void; write: (ticket: Imported) => void };

const OPEN = new Set(["NEW", "PENDING", "DELIVERED", "ACKED"]);
const LONGEST_NOTE = 1000;

/** Import every ticket of the file at `path`; one that cannot be taken over is named, and the others are imported. */
export function importDraft(target: ImportTarget, path: string, options: ImportOptions): DraftImport {
  const draft = readDraftStore(path);
  const { chain } = draft;
  if (chain.broken !== null && !options.unverified)
    throw new HapError(
      "integrity_violation",
      `The hash chain of ${path} is broken at event ${chain.broken}: somebody changed it. Nothing was imported; --unverified does it anyway and says so on every ticket.`,
      { path, event_id: chain.broken },
    );
  const report: DraftImport = { chain, open: [], ended: [], known: [], refused: [] };
  for (const ticket of draft.tickets) {
    const moved = { draft_id: ticket.id, id: newId(ticket), state: ticket.state };
    const end = OPEN.has(ticket.state) ? null : endWords(ticket, draft.said.get(ticket.id) ?? []);
    const refused = target.has(moved.id)
      ? null
      : attempt(target, { input: inputOf(ticket, moved.id), note: provenance(draft, ticket), end }, options);
    if (refused === null) report.known.push(moved);
    else if (refused !== "") report.refused.push({ ...moved, why: refused });
    else report[end === null ? "open" : "ended"].push(moved);
  }
  return report;
}

/** Why a ticket cannot be taken over, or nothing. A failure of the store itself ends the import; it can be run again. */
function attempt(target: ImportTarget, ticket: Imported, { dryRun }: ImportOptions): string {
  try {
    if (dryRun) target.check(ticket);
    else target.write(ticket);
    return "";
  } catch (error) {
    if (!isHapError(error) || error.kind === "busy" || error.kind === "integrity") throw error;
    return error.message;
  }
}

/** The same id where we take one of that form, else one that follows from it: a second import finds what the first made. */
function newId({ id, created_at }: DraftTicket): string {
  if (ID_PATTERNS.clientTicket.test(id)) return id;
  const digest = sha256(`hap import-draft\n${id}\n${created_at}`);
  return `tk_${BigInt(`0x${Buffer.from(digest).toString("hex")}`)
    .toString(36)
    .slice(0, 26)}`;
}

function inputOf(ticket: DraftTicket, id: string): CreateTicketInput {
  const { intent, lease } = ticket;
  const details = (intent.details ?? {}) as Record<string, Json>;
  const artifact = ticket.artifact ?? {};
  // What we hold we hash ourselves; a hash alone makes the ticket opaque, and critical (D14).
  const hash = typeof details.diff === "string" ? {} : text("diff_hash", artifact.diff_hash);
  return {
    ...{ id, from: ticket.from, to: ticket.to, kind: String(intent.kind ?? "modify_file"), details },
    summary: String(intent.summary ?? "Imported from a 0.1 store"),
    artifact: {
      ...hash,
      ...text("environment", artifact.environment),
      ...text("repo", artifact.repo),
      ...text("base_commit", artifact.base_commit),
    },
    risk: Math.min(1, Math.max(0, Number(ticket.risk) || 0)),
    priority: PRIORITIES.find((name) => name === ticket.priority) ?? ("normal" satisfies Priority),
    lease: {
      ttl_seconds: Number(lease.ttl_seconds),
      on_timeout: TIMEOUT_ACTIONS.find((name) => name === lease.on_timeout) ?? ("auto_reject" satisfies TimeoutAction),
    },
  };
}

function text(key: string, value: Json | undefined): Record<string, string> {
  return typeof value === "string" ? { [key]: value } : {};
}

/** Where it comes from, for whoever reads its history. */
function provenance({ chain }: DraftStore, { id, state, created_at }: DraftTicket): string {
  const held = chain.broken === null ? "whose hash chain verifies" : `whose hash chain is broken at ${chain.broken}`;
  return `Imported from a store of the 0.1 draft, ${held} (${chain.events} events, head ${chain.head}). There it was ${id}, opened at ${created_at}, and stood at ${state}.`;
}

/** How it ended there, as its log says. */
function endWords({ state, updated_at }: DraftTicket, events: readonly DraftEvent[]): string {
  const last = events.findLast(({ type }) => type === "intent.sign" || type === "ticket.timeout" || type === "ticket.cancel");
  const inner = (last?.payload.intent ?? last?.payload ?? {}) as Record<string, Json>;
  const who = typeof inner.from === "string" ? ` by ${inner.from}` : "";
  const words = [inner.comment, inner.reason].find((value) => typeof value === "string" && value !== "");
  const said = words === undefined ? "" : `: ${String(words)}`;
  return `In the 0.1 store it ended as ${state} at ${last?.ts ?? updated_at}${who}, without evidence of who decided${said}`.slice(
    0,
    LONGEST_NOTE,
  );
}
