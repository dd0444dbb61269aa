// Operations for agents and people alike: each gets what is theirs to see.
import { KEY_SCOPES, LIMITS } from "../constants.ts";
import type { GrantView } from "../grant/grant.ts";
import type { CreateTicketInput } from "../schema/create-ticket.ts";
import { operation } from "./operation.ts";
import type { Shapes } from "./shapes.ts";
import type { AgentQuery, EventQuery, GrantQuery, TicketQuery } from "./types.ts";

/** Longest wait of one request: proxies cut what lasts a minute. A caller that asks for more gets this, and asks again. */
export const LONGEST_WAIT_SECONDS = 55;
const MOST_SECONDS = 604_800;

/** The output of every operation that returns a ticket; a server adds its entity tag. */
export const ticket = (s: Shapes) => s.ticket();

/** How events are filtered. */
export const eventFilter = (s: Shapes) => ({
  person: s.text(80).optional(),
  agent: s.text(80).optional(),
  ticket: s.text(80).optional(),
  state: s.text(200).optional().meta({ description: "States with commas between" }),
});

/** Who the caller is, as the server sees it. */
export const me = operation({
  id: "me",
  method: "GET",
  path: "/v1/me",
  tag: "identity",
  summary: "Who one is here, and where this is",
  who: "either",
  output: (s) =>
    s.object({
      kind: s.enum(["person", "agent"]),
      id: s.string(),
      role: s.role(),
      scopes: s.array(s.enum(KEY_SCOPES)),
      trust: s.trust(),
      place: s.string(),
    }),
  answer: "The caller",
});

/** Operations for agents and people. */
export const eitherOperations = {
  /** Open a ticket. With an id of your own, calling again finds the same ticket. */
  createTicket: operation({
    id: "createTicket",
    method: "POST",
    path: "/v1/tickets",
    tag: "tickets",
    summary: "Open a ticket: ask a person to approve something, or a question",
    who: "either",
    scope: "create",
    input: (s) => s.createTicket(),
    needsBody: true,
    parsedBy: "handler",
    headers: {
      "Idempotency-Key": {
        field: "idempotency_key",
        description: "The same key and body within a day give the same ticket",
        maxLength: 200,
      },
    },
    maxBytes: 4 * 1024 * 1024,
    example: {
      to: "human:alex",
      kind: "run_command",
      summary: "Drop the staging table",
      details: { command: "psql -c 'drop table staging'" },
      ttl_seconds: 600,
    },
    status: 201,
    output: ticket,
    answer: "The ticket",
    span: "ticket.create",
    logs: "Ticket created",
    call: (input: CreateTicketInput) => input,
  }),
  list: operation({
    id: "listTickets",
    method: "GET",
    path: "/v1/tickets",
    tag: "tickets",
    summary: "Tickets that one may see, newest first, a page at a time",
    who: "either",
    scope: "read_own",
    input: (s) =>
      s.object({
        to: s.text(80).optional(),
        from: s.text(80).optional(),
        state: s.states(),
        kind: s.text(64).optional(),
        project: s.text(4096).optional(),
        session: s.text(64).optional(),
        tier: s.tier().optional(),
        text: s
          .text(500)
          .optional()
          .meta({ description: "Words that a ticket holds, each somewhere. A page may then be short, or empty, before the end" }),
        risk_min: s.share().optional(),
        risk_below: s.share().optional(),
        created_after: s.text(40).optional(),
        created_before: s.text(40).optional(),
        cursor: s.text(300).optional(),
        limit: s.whole(1, 1000).optional(),
      }),
    output: (s) => s.ticketPage(),
    answer: "A page, and the cursor of the next one",
    call: (query: TicketQuery = {}) => query,
  }),
  getTicket: operation({
    id: "getTicket",
    method: "GET",
    path: "/v1/tickets/{id}",
    tag: "tickets",
    summary: "One ticket; with `wait`, as soon as it has ended",
    who: "either",
    scope: "read_own",
    input: (s) =>
      s.object({
        wait: s
          .whole(0, MOST_SECONDS)
          .optional()
          .meta({ description: `Answer when the ticket has ended, or after so many seconds, at most ${LONGEST_WAIT_SECONDS}` }),
      }),
    output: ticket,
    answer: "The ticket",
    also: { 304: "It has not changed" },
    span: "ticket.wait",
    logs: "Ticket read",
    call: (id: string) => ({ id }),
  }),
  cancel: operation({
    id: "cancelTicket",
    method: "POST",
    path: "/v1/tickets/{id}/cancel",
    tag: "tickets",
    summary: "End an open ticket without a decision: its agent withdraws, or its person",
    who: "either",
    scope: "create",
    input: (s) => s.object({ reason: s.comment() }),
    output: ticket,
    answer: "The ticket",
    span: "ticket.cancel",
    logs: "Ticket canceled",
    call: (id: string, reason?: string) => ({ id, reason }),
  }),
  note: operation({
    id: "noteTicket",
    method: "POST",
    path: "/v1/tickets/{id}/notes",
    tag: "tickets",
    summary: "A remark on the ticket's timeline",
    who: "either",
    scope: "create",
    input: (s) => s.object({ text: s.text(LIMITS.commentChars) }),
    output: ticket,
    answer: "The ticket",
    span: "ticket.note",
    logs: "Ticket noted",
    call: (id: string, text: string) => ({ id, text }),
  }),
  /** Grants and denials, newest first; an agent sees those that are about it. */
  grants: operation({
    id: "listGrants",
    method: "GET",
    path: "/v1/grants",
    tag: "grants",
    summary: "Grants and denials, newest first; an agent sees those in force that are about it",
    who: "either",
    scope: "read_own",
    input: (s) =>
      s.object({
        state: s.enum(["active", "ended", "all"]).optional(),
        agent: s.text(80).optional(),
        unused_days: s.whole(1, 366).optional().meta({ description: "Only those that nothing used for so many days" }),
      }),
    output: (s) => s.object({ grants: s.array(s.json<GrantView>()) }),
    answer: "Grants",
    call: (query: GrantQuery = {}) => query,
    give: "grants",
  }),
  eventPage: operation({
    id: "listEvents",
    method: "GET",
    path: "/v1/events",
    tag: "log",
    summary: "Events that one may see, oldest first, after a cursor",
    who: "either",
    scope: "read_own",
    input: (s) =>
      s.object({
        ...eventFilter(s),
        after: s.text(300).optional().meta({ description: "A cursor, or an event's id" }),
        limit: s.whole(1, 1000).optional(),
        resolved: s.flag().optional().meta({ description: "In the draft's shape, with names and words" }),
      }),
    output: (s) => s.events(),
    answer: "A page as anyone can verify it, and the cursor to go on after",
    call: (query: EventQuery = {}) => query,
  }),
  /** Agents that joined, last seen first. */
  agents: operation({
    id: "listAgents",
    method: "GET",
    path: "/v1/agents",
    tag: "conversations",
    summary: "Agents that joined, last seen first; with `hints`, those that fit them, best first",
    who: "either",
    scope: "read_own",
    input: (s) =>
      s.object({
        hints: s.text(1000).optional(),
        project: s.text(4096).optional(),
        agent_runtime: s.text(64).optional(),
        present: s.flag().optional(),
        limit: s.whole(1, 500).optional(),
      }),
    output: (s) => s.object({ agents: s.array(s.agentCard()) }),
    answer: "Agents",
    call: (query: AgentQuery = {}) => query,
    give: "agents",
  }),
  getAgent: operation({
    id: "getAgent",
    method: "GET",
    path: "/v1/agents/{agent}",
    tag: "conversations",
    summary: "What is known of an agent",
    who: "either",
    scope: "read_own",
    output: (s) => s.agentCard(),
    answer: "What is known of the agent",
    call: (agent: string) => ({ agent }),
  }),
  attachment: operation({
    id: "getAttachment",
    method: "GET",
    path: "/v1/messages/{id}/attachments/{index}",
    tag: "conversations",
    summary: "The bytes of a file that came with a message",
    who: "either",
    scope: "read_own",
    media: "application/octet-stream",
    answer: "The bytes",
    call: (messageId: string, index: number) => ({ id: messageId, index: String(index) }),
  }),
};
