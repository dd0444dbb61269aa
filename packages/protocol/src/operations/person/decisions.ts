// What a person does with a ticket: read it, take time, decide.
import type { Json } from "../../canonical-json.ts";
import { LIMITS } from "../../constants.ts";
import type { EraseResult } from "../../content.ts";
import type { GroupResult } from "../../group-key.ts";
import type { PhraseDecision } from "../../phrase.ts";
import type { SignedIntent } from "../../schema/ticket.ts";
import type { Statement } from "../../statement.ts";
import { ticket } from "../either.ts";
import { operation } from "../operation.ts";
import type { Shapes } from "../shapes.ts";

/** The words of a decision, before anybody confirms or signs it. */
export type DecisionWords = {
  decision: "approve" | "reject" | "request_changes" | "answer";
  comment?: string;
  answer?: unknown;
  edits?: Record<string, unknown>;
};

const act = { method: "POST", tag: "decisions", who: "person", answer: "The ticket as it is then" } as const;
const seconds = (s: Shapes) => s.object({ seconds: s.int().min(1).max(LIMITS.addedSecondsMax) });

/** Operations of people on tickets. */
export const decisionOperations = {
  /** Your open tickets by priority and age. A page that is returned is shown: its tickets are delivered (D8). */
  inbox: operation({
    id: "inbox",
    method: "GET",
    path: "/v1/inbox",
    tag: "decisions",
    summary: "Your open tickets by priority and age; reading delivers nothing",
    who: "person",
    input: (s) => s.object({ cursor: s.text(300).optional(), limit: s.whole(1, 1000).optional() }),
    output: (s) => s.ticketPage(),
    answer: "A page, and the cursor of the next one",
    call: (query: { cursor?: string; limit?: number } = {}) => query,
  }),
  /** These tickets are on the person's screen: their own ones that are PENDING become DELIVERED (D8). */
  deliver: operation({
    ...act,
    id: "deliverTickets",
    path: "/v1/deliveries",
    summary: "These tickets were shown to this person: their own that are PENDING become DELIVERED",
    input: (s) => s.object({ ids: s.array(s.text(80)).min(1).max(1000) }),
    output: (s) => s.object({ tickets: s.array(s.ticket()) }),
    answer: "The tickets as they are then",
    call: (ids: readonly string[]) => ({ ids: [...ids] }),
    give: "tickets",
  }),
  /** Decide tickets that are alike together: exactly these, each with a decision of its own in the log. */
  decideGroup: operation({
    id: "decideGroup",
    method: "POST",
    path: "/v1/decisions",
    tag: "decisions",
    summary: "Approve or reject tickets that are alike: exactly these, each with a decision of its own in the log",
    who: "person",
    input: (s) =>
      s.object({
        ids: s.array(s.text(80)).min(1).max(100),
        decision: s.enum(["approve", "reject"]),
        comment: s.comment(),
      }),
    output: (s) => s.object({ results: s.array(s.json<GroupResult>()) }),
    answer: "What became of each ticket",
    call: (ids: readonly string[], decision: "approve" | "reject", comment?: string) => ({ ids: [...ids], decision, comment }),
    give: "results",
  }),
  /** Read and, if you are the addressee, deliver. */
  show: operation({
    ...act,
    id: "deliverTicket",
    path: "/v1/tickets/{id}/deliver",
    summary: "The ticket was shown to this person",
    output: ticket,
    span: "ticket.deliver",
    logs: "Ticket delivered",
    call: (id: string) => ({ id }),
  }),
  ack: operation({
    ...act,
    id: "ackTicket",
    path: "/v1/tickets/{id}/ack",
    summary: "The person is looking: the lease pauses, for good or for a while",
    input: (s) => s.object({ note: s.comment(), lapse_seconds: s.int().min(1).max(LIMITS.addedSecondsMax).optional() }),
    output: ticket,
    span: "ticket.ack",
    logs: "Ticket acknowledged",
    call: (id: string, note?: string, options: { lapseSeconds?: number } = {}) => ({
      id,
      note,
      lapse_seconds: options.lapseSeconds,
    }),
  }),
  extend: operation({
    ...act,
    id: "extendTicket",
    path: "/v1/tickets/{id}/extend",
    summary: "Give more time",
    input: seconds,
    output: ticket,
    span: "ticket.extend",
    logs: "Ticket extended",
    call: (id: string, seconds: number) => ({ id, seconds }),
  }),
  snooze: operation({
    ...act,
    id: "snoozeTicket",
    path: "/v1/tickets/{id}/snooze",
    summary: "Not now",
    input: seconds,
    output: ticket,
    span: "ticket.snooze",
    logs: "Ticket snoozed",
    call: (id: string, seconds: number) => ({ id, seconds }),
  }),
  reassign: operation({
    ...act,
    id: "reassignTicket",
    path: "/v1/tickets/{id}/reassign",
    summary: "Give it to somebody else",
    input: (s) => s.object({ to: s.text(80) }),
    output: ticket,
    span: "ticket.reassign",
    logs: "Ticket reassigned",
    call: (id: string, to: string) => ({ id, to }),
  }),
  /** Decide by a signed form (21.2); it is refused unless it is complete, about this ticket and from this person. */
  submitIntent: operation({
    ...act,
    id: "submitIntent",
    path: "/v1/tickets/{id}/intents",
    summary: "Decide, or answer: unsigned words, or what was signed for a challenge",
    input: (s) => s.intent(),
    parsedBy: "handler",
    output: ticket,
    span: "intent.sign",
    logs: "Ticket decided",
    // `on` is the ticket that it is sent to, its own unless stated.
    call: (intent: Record<string, unknown>, options: { phrase?: string; on?: string } = {}) => {
      const { on = String(intent.ticket_id), ...how } = options;
      return { id: on, ...(intent as SignedIntent), ...how };
    },
  }),
  /** A yes that the server holds for some seconds and then applies, whether or not the caller is still there (D44). */
  hold: operation({
    ...act,
    id: "holdDecision",
    path: "/v1/tickets/{id}/hold",
    summary: "A yes that can be undone for some seconds; the server then applies it by itself",
    input: (s) =>
      s.object({
        decision: s.phraseDecision(),
        comment: s.decisionComment(),
        answer: s.unknown().optional(),
        edits: s.anyObject().optional(),
        seconds: s.int().min(1).max(LIMITS.holdSecondsMax),
      }),
    status: 202,
    output: (s) => s.object({ ticket: s.ticket(), until: s.string() }),
    answer: "The ticket, still open, and when the decision is applied",
    span: "intent.hold",
    logs: "Decision held",
    call: (
      id: string,
      input: { decision: PhraseDecision; comment?: string; answer?: unknown; edits?: Record<string, unknown>; seconds: number },
    ) => ({
      id,
      ...input,
    }),
  }),
  /** Takes a held yes back, as long as it was not applied. */
  undo: operation({
    ...act,
    id: "undoDecision",
    path: "/v1/tickets/{id}/undo",
    summary: "Take back a yes that is held",
    output: ticket,
    span: "intent.undo",
    logs: "Decision undone",
    call: (id: string) => ({ id }),
  }),
  /** Issues the statement to sign for a decision (D23). */
  issueChallenge: operation({
    ...act,
    id: "issueChallenge",
    path: "/v1/tickets/{id}/challenges",
    summary: "What to sign for a decision; the ticket is acked for as long as it is valid",
    input: (s) =>
      s.object({
        decision: s.decision(),
        comment: s.decisionComment(),
        answer: s.unknown().optional(),
        edits: s.anyObject().optional(),
      }),
    status: 201,
    output: (s) => s.object({ statement: s.json<Statement>(), ticket: s.ticket() }),
    answer: "The statement, whose canonical JSON is hashed and signed",
    span: "intent.challenge",
    logs: "Challenge issued",
    call: (id: string, input: DecisionWords) => ({ id, ...input }),
  }),
  /** Issues the phrase that confirms a yes to a critical ticket (D3): show it to the person alone, and send what they type. */
  issuePhrase: operation({
    ...act,
    id: "issuePhrase",
    path: "/v1/tickets/{id}/phrase",
    summary: "The phrase that confirms a yes to a critical ticket, for the page alone: a token gets the page's address",
    input: (s) => s.object({ decision: s.phraseDecision().optional() }),
    status: 201,
    output: (s) => s.object({ phrase: s.string(), expires_at: s.string() }),
    answer: "The phrase, for one use by this person",
    call: (id: string, decision: PhraseDecision = "approve") => ({ id, decision }),
  }),
  /** The events of one ticket, with names and words. */
  history: operation({
    id: "ticketHistory",
    method: "GET",
    path: "/v1/tickets/{id}/history",
    tag: "decisions",
    summary: "Everything that happened to a ticket, with names and words",
    who: "person",
    output: (s) => s.object({ events: s.array(s.json<Json>()) }),
    answer: "Its events, oldest first",
    call: (id: string) => ({ id }),
    give: "events",
  }),
  /** From an id, a prefix, a suffix or a short code to the id (D12). */
  resolveId: operation({
    id: "resolveTicketId",
    method: "GET",
    path: "/v1/ticket-ids",
    tag: "decisions",
    summary: "From a prefix, a suffix or a short code to the id",
    who: "person",
    input: (s) => s.object({ text: s.text(80) }),
    output: (s) => s.object({ id: s.string(), exact: s.boolean() }),
    answer: "The id",
    call: (text: string) => ({ text }),
  }),
  /** What a yes to a ticket needs from this person: the least level by signature, or null, and whether to type the phrase. */
  needed: operation({
    id: "neededForYes",
    method: "GET",
    path: "/v1/tickets/{id}/needed",
    tag: "credentials",
    summary: "What a yes to a ticket needs from this person: a signature, a typed phrase, or neither",
    who: "person",
    output: (s) => s.object({ signature: s.enum(["key", "passkey"]).nullable(), confirmed: s.boolean() }),
    answer: "What is needed",
    call: (id: string) => ({ id }),
  }),
  /** Delete texts of a ticket for good. */
  erase: operation({
    ...act,
    id: "eraseTicket",
    path: "/v1/tickets/{id}/erase",
    summary: "Delete texts of a ticket for good; the log still verifies",
    input: (s) => s.object({ fields: s.array(s.text(40)).max(20).optional(), reason: s.comment() }),
    output: (s) => s.json<EraseResult>(),
    answer: "Which texts were erased",
    span: "content.erase",
    logs: "Ticket erased",
    call: ({ ticket: id, ...rest }: { ticket: string; fields?: string[]; reason?: string }) => ({ id, ...rest }),
  }),
};
