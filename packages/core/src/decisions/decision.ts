// A person's decision from words to a verified vote: the same road for a typed yes and for a signed intent.
import {
  type Answer,
  type AssuranceLevel,
  type Authority,
  type ContentRef,
  checkJson,
  type Decision,
  HapError,
  hashBytes,
  hashIntent,
  INTENT_TTL_MS,
  isOpen,
  type Json,
  LIMITS,
  mapStrings,
  parseAnswer,
  prefixedHash,
  readPhrase,
  readReview,
  refDigest,
  type SignedIntent,
  type Statement,
  type StoredIntent,
} from "@hap/protocol";
import { demandOn, guardAgentHeld } from "../credentials/demand.ts";
import { checkPhrase } from "../credentials/phrases.ts";
import { SlowHashes } from "../credentials/slow-hash.ts";
import type { CredentialSource, SignatureVerifier } from "../credentials/verify-signature.ts";
import { ContentReader, ContentWriter, checkWords } from "../log/contents.ts";
import type { Policies } from "../policies/policy.ts";
import { takeSeat } from "../quorum/cast-vote.ts";
import { standingOf } from "../quorum/standing.ts";
import type { StoreReader } from "../store/store.ts";
import { type Ballot, decideResolve } from "../tickets/decide/resolve.ts";
import { DECISION_END, guardFit, guardOpen } from "../tickets/guards.ts";
import { type TicketRecord, toIso } from "../tickets/record.ts";
import { presentable, presentationOf } from "../tickets/view.ts";
import { sha256 } from "../transaction/facts.ts";
import type { Session } from "../transaction/session.ts";
import { authorise, voterOf } from "./authority.ts";
import { storeChallenge, takeChallenge } from "./challenge.ts";
import { nonceUsed, verifyIntent } from "./verify-intent.ts";

/** What somebody says about a ticket, and how well we know that it was them. */
export type DecisionInput = {
  decision: Decision;
  /** Who decides; null means whoever the ticket is addressed to (somebody at this account, level local). */
  by: string | null;
  comment?: string | undefined;
  answer?: unknown;
  edits?: Record<string, unknown> | undefined;
  assurance?: AssuranceLevel | undefined;
  /** What the person typed to confirm; the engine checks it against the phrase that it issued (D3). */
  phrase?: string | undefined;
  /** An agent's id when its client relays an answer (D4). */
  relayedBy?: string | undefined;
  /** The parts of an intent that came from outside; left out, the runtime makes them. */
  signed?: SignedIntent | undefined;
};

/** Check and apply a decision inside a session. */
export function applyDecision(
  session: Session,
  record: TicketRecord,
  input: DecisionInput,
  policies: Policies,
  verify: { signature: SignatureVerifier; source: CredentialSource },
  hashes: SlowHashes,
): TicketRecord {
  const contents = new ContentWriter(session.names);
  const relayed = input.relayedBy !== undefined;
  const who = relayed
    ? { handle: input.relayedBy as string, authority: "relay" as const }
    : rightOf(session, record, input, policies);
  const challenge = input.signed === undefined ? null : takeChallenge(session, input.signed, who.handle);
  if (challenge === null && input.signed !== undefined && input.signed.signature !== null) {
    if (session.tx.nonceTicket(input.signed.nonce) !== undefined) throw nonceUsed(input.signed.nonce);
    throw new HapError(
      "statement_mismatch",
      "Statement mismatch: this nonce was not given out to be signed, or was used. Ask for a new challenge.",
      { field: "nonce" },
    );
  }
  const intent =
    challenge?.intent ?? buildIntent(session, record, input, who.handle, contents, session.names.timedNonce(session.now));
  const proven = verifyIntent(intent, {
    ticket: record.ticket,
    space: session.tx.space,
    now: session.now,
    // One that the runtime has just drawn is new; the table of used ones would refuse it otherwise.
    nonceUsed: input.signed !== undefined && session.tx.nonceTicket(intent.nonce) !== undefined,
    verifySignature: verify.signature,
    credentials: verify.source,
  });
  const assurance = relayed ? "none" : (proven?.level ?? input.assurance ?? "local");
  const vote = {
    intent,
    assurance,
    confirmed: input.phrase !== undefined && takePhrase(session, record, who.handle, { ...input, phrase: input.phrase }, hashes),
    trust: session.trust,
    authority: who.authority,
    demand: demandOn(record, session.tx.credentialsOf(who.handle), verify.source.anchored, policies),
    ballot: who.authority === "member" ? who.ballot : null,
  };
  if (intent.signature !== null)
    guardAgentHeld(record, intent.decision, verify.source.credential(intent.signature.credential_id), policies);
  const events = decideResolve(record, vote, session.now);
  if (intent.signature !== null) session.useCredential(intent.signature.credential_id, proven?.counter);
  session.tx.burnNonce(intent.nonce, record.ticket.id, toIso(session.now));
  return session.commit(record, events, challenge?.contents ?? contents.made);
}

type Right =
  | { handle: string; authority: Exclude<Authority, "member"> }
  | { handle: string; authority: "member"; ballot: Ballot };

/** Who decides, and by what right: on a ticket with a quorum, from which seat. */
function rightOf(session: Session, record: TicketRecord, { by, decision }: DecisionInput, policies: Policies): Right {
  if (record.ticket.quorum !== undefined) {
    const handle = by === null ? record.to : voterOf(session, record, by);
    const standing = standingOf(session.tx);
    const voter = { by: handle, on_behalf_of: null, decision };
    return { handle, authority: "member", ballot: { ...voter, seat: takeSeat(session.tx, record, voter, standing), standing } };
  }
  if (by === null) return { handle: record.to, authority: "addressee" };
  return authorise(session, record, by, policies) as Right;
}

/** Use the phrase up, in the transaction of the decision; `phraseRefusal` looked at it before. */
function takePhrase(
  session: Session,
  record: TicketRecord,
  handle: string,
  said: { decision: Decision; phrase: string },
  hashes: SlowHashes,
): boolean {
  guardOpen(record, DECISION_END[said.decision].state);
  const refused = checkPhrase(session, record, handle, said, hashes);
  if (refused !== null) throw refused;
  session.tx.dropPhrase(record.ticket.id, handle);
  return true;
}

/** Why a typed phrase is refused, or null. A wrong one counts, so this is not undone with the decision. */
export function phraseRefusal(session: Session, record: TicketRecord, input: DecisionInput, hashes: SlowHashes): HapError | null {
  const handle = input.by === null ? record.to : (session.tx.handleOf(input.by) ?? input.by);
  // If there is none, or the ticket has ended, the decision itself says what is wrong.
  if (input.phrase === undefined || !isOpen(record.state) || session.tx.phrase(record.ticket.id, handle) === undefined)
    return null;
  return checkPhrase(session, record, handle, { decision: input.decision, phrase: input.phrase }, hashes);
}

/** Hash a typed phrase before the transaction, under the salt of the one that is open. */
export function hashPhrase(rows: StoreReader, id: string, { by, phrase }: DecisionInput): SlowHashes {
  const hashes = new SlowHashes();
  if (phrase === undefined) return hashes;
  const handle = by === null ? rows.ticketById(id)?.to : rows.handleOf(by);
  const open = handle === undefined ? undefined : rows.phrase(id, handle);
  if (open !== undefined) hashes.of(readPhrase(phrase), open.salt);
  return hashes;
}

/** Give out what a person is to sign for a decision; nothing is decided yet. */
export function issueChallenge(
  session: Session,
  record: TicketRecord,
  input: DecisionInput,
  policies: Policies,
): { record: TicketRecord; statement: Statement } {
  guardOpen(record);
  guardFit(record, input.decision);
  const { handle } = rightOf(session, record, input, policies);
  const contents = new ContentWriter(session.names);
  const intent = buildIntent(session, record, input, handle, contents, session.names.nonce());
  return storeChallenge(session, record, intent, contents.made, session.tx.space);
}

function buildIntent(
  session: Session,
  record: TicketRecord,
  input: DecisionInput,
  from: string,
  contents: ContentWriter,
  fresh: string,
): StoredIntent {
  const { signed } = input;
  const { id, epoch } = session.runtime();
  const ttl = record.ticket.tier === "critical" ? INTENT_TTL_MS.critical : INTENT_TTL_MS.longest;
  if (input.decision === "approve") guardShown(session, record);
  const edits = checkEdits(session, record, input.edits);
  return {
    ticket_id: record.ticket.id,
    ticket_hash: `sha256:${record.hash}`,
    from,
    decision: input.decision,
    artifact_hash: signed?.artifact_hash ?? record.ticket.artifact.diff_hash,
    bytes_hash: edits === null ? record.ticket.artifact.bytes_hash : edits.bytesHash,
    presentation_hash: prefixedHash(presentationOf(session.tx, record), sha256),
    runtime: id,
    epoch,
    nonce: signed?.nonce ?? fresh,
    issued_at: toIso(session.now),
    expires_at: signed?.expires_at ?? toIso(session.now + ttl),
    signature: signed?.signature ?? null,
    comment: contents.textOrNull("comment", checkComment(input.comment)),
    answer: contents.jsonOrNull("answer", checkAnswer(session, record, input)),
    edits: contents.jsonOrNull("edits", edits?.value),
  };
}

function checkComment(comment: string | undefined): string | undefined {
  if (comment === undefined) return undefined;
  if (comment.length <= LIMITS.commentChars) return comment;
  const { length } = [...comment];
  if (length <= LIMITS.commentChars || (length <= LIMITS.reviewChars && readReview(comment) !== null)) return comment;
  throw new HapError("invalid_input", `comment has ${length} characters; at most ${LIMITS.commentChars} are allowed.`, {
    field: "comment",
    limit: LIMITS.commentChars,
  });
}

/** Nobody says yes to what was erased before they could see it. */
function guardShown(session: Session, record: TicketRecord): void {
  const { summary, details } = record.ticket.intent;
  const contents = session.tx.contents(record.seq);
  for (const ref of [summary, details]) if (!contents.has(refDigest(ref as ContentRef))) throw erased(record, "text");
}

function erased(record: TicketRecord, what: string): HapError {
  return new HapError("content_erased", `The ${what} of ${record.ticket.id} was erased; it can only be rejected.`, {
    ticket_id: record.ticket.id,
  });
}

/** The answer, checked against the question as it was asked. */
function checkAnswer(session: Session, record: TicketRecord, input: DecisionInput): Answer | null {
  if (input.decision !== "answer") return null;
  const { ask, ask_type } = record.ticket;
  if (ask === null || ask_type === "approval") return null;
  const question = new ContentReader(session.tx, record.seq).resolve(ask as ContentRef);
  if (question === undefined) throw erased(record, "question");
  return parseAnswer(question as Parameters<typeof parseAnswer>[0], input.answer);
}

/** Edits replace keys of `details`; what is signed and executed is the hash after them. */
function checkEdits(
  session: Session,
  record: TicketRecord,
  edits: Record<string, unknown> | undefined,
): { value: Json; bytesHash: string } | null {
  if (edits === undefined || Object.keys(edits).length === 0) return null;
  const value = edits as Record<string, Json>;
  checkJson(value, "edits");
  mapStrings(value, (text) => checkWords("edits", text));
  const { intent } = presentable(session.tx, record);
  const details = { ...intent.details, ...value } as Record<string, Json>;
  const { body } = record.ticket.artifact;
  const bytes = body === null ? undefined : details[body];
  const edited = { kind: intent.kind, summary: intent.summary, details, confidence: intent.confidence };
  return {
    value,
    bytesHash:
      body !== null && typeof bytes === "string" ? hashBytes(body, bytes, sha256).bytes_hash : hashIntent(edited, sha256),
  };
}
