// Tickets: open them, read them, wait for them, and what their agent may do with them.
import { createTicketSchema, HapError, LIMITS, type Ticket, ticketSchema } from "@hap/protocol";
import * as z from "zod";
import type { AgentPrincipal, Principal } from "../auth/principal.ts";
import { noteTicket } from "../observe/request-notes.ts";
import { type Call, type Reply, type Route, route } from "../route.ts";
import { assertMayRead, seesAll } from "../visible.ts";
import { given, text, ticketPage, ticketQuery, whole } from "./shapes.ts";

/** The longest that one request waits, since proxies cut what lasts a minute; who asks for more gets this, and asks again. */
const LONGEST_WAIT_SECONDS = 55;
const MOST_SECONDS = 604_800;
const tag = "tickets";
const ticketAnswer = (description: string) => ({ status: 200, schema: ticketSchema(), description });
const reason = () => z.object({ reason: text(LIMITS.commentChars).optional() });

/** A ticket with the tag by which a reader knows that it has not changed. */
export function ticketReply(ticket: Ticket, status = 200): Reply {
  noteTicket(ticket);
  return { status, body: ticket, headers: { etag: etagOf(ticket) } };
}

/** The lease's countdown runs while nothing happens, so the tag names the last event and not the bytes. */
function etagOf({ cursor }: Ticket): string {
  return `W/"${cursor}"`;
}

/** Who opens: the key's agent, or, for a person at a terminal, the agent that they name. */
function askerOf(principal: Principal, from: string | undefined): string {
  if (principal.kind === "person") return from ?? "agent:local";
  if (from === undefined || from === principal.agent) return principal.agent;
  throw new HapError(
    "scope_missing",
    `This key opens tickets as ${principal.agent}; from is ${from.slice(0, 80)}. Leave it out.`,
    {
      field: "from",
      agent: principal.agent,
    },
  );
}

async function create(call: Call<undefined, ReturnType<typeof createTicketSchema>>): Promise<Reply> {
  const { engine, request, body } = call;
  const principal = call.principal as Principal;
  if (principal.kind === "person" && principal.role === "auditor")
    throw new HapError("scope_missing", "An auditor reads and opens nothing.");
  const from = askerOf(principal, body.from);
  const prepared = await engine.prepareTicket({ ...body, from });
  const key = request.headers.get("idempotency-key");
  if (key === null) return created(await engine.later(() => engine.createTicket(prepared)));
  if (key.length < 1 || key.length > 200)
    throw new HapError("invalid_input", "Idempotency-Key must have 1 to 200 characters.", { field: "Idempotency-Key" });
  const ticket = await engine.later(() => {
    const words = JSON.stringify(body);
    const before = engine.madeBefore(from, key, words);
    if (before !== null) return engine.getTicket(before);
    const made = engine.createTicket(prepared);
    engine.rememberMade(from, key, words, made.id);
    return made;
  });
  return created(ticket);
}

function created(ticket: Ticket): Reply {
  noteTicket(ticket);
  return {
    status: 201,
    body: ticket,
    headers: { etag: etagOf(ticket), location: `/v1/tickets/${ticket.id}` },
  };
}

async function read(call: Call<ReturnType<typeof waitQuery>>): Promise<Reply> {
  const { engine, request, params } = call;
  const id = params.id as string;
  assertMayRead(engine, call.principal as Principal, id);
  const seconds = Math.min(call.query.wait ?? 0, LONGEST_WAIT_SECONDS);
  const ticket = seconds === 0 ? engine.getTicket(id) : await waitFor(call, id, seconds);
  if (seconds === 0 && request.headers.get("if-none-match") === etagOf(ticket))
    return new Response(null, { status: 304, headers: { etag: etagOf(ticket) } });
  return ticketReply(ticket);
}

/** Until the ticket has ended, the time is over, the caller is gone, or the server stops, which ends its engine's waits. */
function waitFor({ engine, request, stopping }: Call, id: string, seconds: number): Promise<Ticket> {
  stopping.throwIfAborted();
  // No signal made of both: thousands wait at once, and it would weigh as much as everything else about a wait.
  return engine.waitFor(id, { timeout: seconds * 1000, signal: request.signal });
}

const waitQuery = () =>
  z.object({
    wait: whole(0, MOST_SECONDS)
      .optional()
      .meta({ description: `Answer when the ticket has ended, or after so many seconds, at most ${LONGEST_WAIT_SECONDS}` }),
  });

/** Routes by which an agent changes a ticket of its own. */
function own<B extends z.ZodType | undefined>(
  name: string,
  id: string,
  summary: string,
  body: B,
  change: (call: Call<undefined, B>) => Promise<Ticket>,
): Route {
  return route({
    method: "post",
    path: `/v1/tickets/{id}/${name}`,
    id,
    tag,
    summary,
    who: "agent",
    scope: "create",
    ...(body === undefined ? {} : { body }),
    bodyRequired: false,
    answer: ticketAnswer("The ticket as it is then"),
    handle: async (call) => {
      assertMayRead(call.engine, call.principal as Principal, idOf(call));
      return ticketReply(await change(call as Call<undefined, B>));
    },
  });
}

const idOf = (call: Call) => call.params.id as string;

export const ticketRoutes = (): Route[] => [
  route({
    method: "post",
    path: "/v1/tickets",
    id: "createTicket",
    tag,
    summary: "Open a ticket: ask a person to approve something, or a question",
    who: "either",
    scope: "create",
    body: createTicketSchema(),
    maxBytes: 4 * 1024 * 1024,
    example: {
      to: "human:alex",
      kind: "run_command",
      summary: "Drop the staging table",
      details: { command: "psql -c 'drop table staging'" },
      ttl_seconds: 600,
    },
    answer: { status: 201, schema: ticketSchema(), description: "The ticket" },
    handle: create,
  }),
  route({
    method: "get",
    path: "/v1/tickets",
    id: "listTickets",
    tag,
    summary: "Tickets that one may see, newest first, a page at a time",
    who: "either",
    scope: "read_own",
    query: ticketQuery(),
    answer: { status: 200, schema: ticketPage(), description: "A page, and the cursor of the next one" },
    handle: async ({ query, principal, engine, agent, person }) => {
      // Reading delivers nothing (D8): a face says by POST /v1/deliveries what it has shown.
      const { state, ...rest } = given(query);
      const wanted = { ...rest, ...(state === undefined ? {} : { state: state.join() === "open" ? ("open" as const) : state }) };
      if (principal?.kind === "agent") return { body: seesAll(principal) ? engine.list(wanted) : await agent.list(wanted) };
      const mine = seesAll(principal as Principal) ? {} : { to: person.person };
      return { body: engine.list({ ...wanted, ...mine }) };
    },
  }),
  route({
    method: "get",
    path: "/v1/tickets/{id}",
    id: "getTicket",
    tag,
    summary: "One ticket; with `wait`, as soon as it has ended",
    who: "either",
    scope: "read_own",
    query: waitQuery(),
    answer: ticketAnswer("The ticket"),
    also: { 304: "It has not changed" },
    handle: read,
  }),
  route({
    method: "post",
    path: "/v1/tickets/{id}/cancel",
    id: "cancelTicket",
    tag,
    summary: "End an open ticket without a decision: its agent withdraws, or its person",
    who: "either",
    scope: "create",
    body: reason(),
    bodyRequired: false,
    answer: ticketAnswer("The ticket"),
    handle: async (call) => {
      assertMayRead(call.engine, call.principal as Principal, idOf(call));
      const client = call.principal?.kind === "agent" ? call.agent : call.person;
      return ticketReply(await client.cancel(idOf(call), call.body.reason));
    },
  }),
  route({
    method: "post",
    path: "/v1/tickets/{id}/notes",
    id: "noteTicket",
    tag,
    summary: "A remark on the ticket's timeline",
    who: "either",
    scope: "create",
    body: z.object({ text: text(LIMITS.commentChars) }),
    answer: ticketAnswer("The ticket"),
    handle: async (call) => {
      assertMayRead(call.engine, call.principal as Principal, idOf(call));
      const client = call.principal?.kind === "agent" ? call.agent : call.person;
      return ticketReply(await client.note(idOf(call), call.body.text));
    },
  }),
  own("renew", "renewTicket", "Keep a ticket open while somebody really waits for it", undefined, (call) =>
    call.agent.renew(idOf(call)),
  ),
  own("consume", "consumeTicket", "Use a yes, once, before anything is started", z.object({ call_hash: text(80) }), (call) =>
    call.agent.consume(idOf(call), call.body.call_hash),
  ),
  own("heard", "heardTicket", "The words of the end have arrived", undefined, (call) => call.agent.heard(idOf(call))),
  own(
    "relay",
    "relayAnswer",
    "Pass on an answer that the client's own user gave: level none, not for critical questions",
    z.object({ answer: z.unknown() }),
    (call) => call.agent.relayAnswer(idOf(call), call.body.answer),
  ),
  route({
    method: "post",
    path: "/v1/cues",
    id: "cue",
    tag,
    summary: "Ask, or find the same question again while its answer was not heard",
    who: "agent",
    scope: "create",
    body: createTicketSchema(),
    maxBytes: 4 * 1024 * 1024,
    answer: { status: 201, schema: ticketSchema(), description: "The question" },
    handle: async ({ engine, body, principal }) => {
      const from = askerOf(principal as AgentPrincipal, body.from);
      const prepared = await engine.prepareTicket({ ...body, from });
      return created(await engine.later(() => engine.cue(prepared)));
    },
  }),
];
