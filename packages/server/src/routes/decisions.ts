// What a person does with a ticket: look, take time, decide. A decision is an intent, signed or not.
import {
  carriesSignedForm,
  HapError,
  LIMITS,
  PHRASE_DECISIONS,
  parseWith,
  signedIntentSchema,
  type Ticket,
  ticketSchema,
} from "@hap/protocol";
import * as z from "zod";
import type { Principal } from "../auth/principal.ts";
import { assertAtPage } from "../page-needed.ts";
import { type Call, type Route, route } from "../route.ts";
import { assertMayRead } from "../visible.ts";
import { anyObject, given, text, ticketPage, whole } from "./shapes.ts";
import { ticketReply } from "./tickets.ts";

const tag = "decisions";
const comment = () => text(LIMITS.commentChars).optional();
const seconds = () => z.object({ seconds: z.int().min(1).max(LIMITS.addedSecondsMax) });
const decision = () => z.enum(["approve", "reject", "request_changes", "answer"]);

const phrase = () =>
  text(200).optional().meta({ description: "What the person typed to confirm: the phrase that was issued for this ticket" });

/** Words for a decision that nobody signs. */
const plainIntent = () =>
  z.object({
    decision: decision(),
    comment: comment(),
    answer: z.unknown().optional(),
    edits: anyObject().optional(),
    phrase: phrase(),
  });

/** The signed form: it is checked whole, as soon as one of its fields is there (6.2). */
const signedIntent = () => z.strictObject({ ...signedIntentSchema().shape, phrase: phrase() });

/** Routes by which a person changes a ticket. */
function act<B extends z.ZodType>(
  name: string,
  id: string,
  summary: string,
  body: B,
  change: (call: Call<undefined, B>, ticketId: string) => Promise<Ticket>,
  bodyParsedBy: Route["bodyParsedBy"] = "route",
): Route {
  return route({
    method: "post",
    path: `/v1/tickets/{id}/${name}`,
    id,
    tag,
    summary,
    who: "person",
    body,
    bodyRequired: false,
    bodyParsedBy,
    answer: { status: 200, schema: ticketSchema(), description: "The ticket as it is then" },
    handle: async (call) => {
      const ticketId = call.params.id as string;
      assertMayRead(call.engine, call.principal as Principal, ticketId);
      return ticketReply(await change(call as Call<undefined, B>, ticketId));
    },
  });
}

export const decisionRoutes = (): Route[] => [
  route({
    method: "get",
    path: "/v1/inbox",
    id: "inbox",
    tag,
    summary: "One's open tickets by priority and age; reading delivers nothing",
    who: "person",
    query: z.object({ cursor: text(300).optional(), limit: whole(1, 1000).optional() }),
    answer: { status: 200, schema: ticketPage(), description: "A page, and the cursor of the next one" },
    handle: async ({ engine, person, query }) => ({ body: engine.inbox(person.person, given(query)) }),
  }),
  route({
    method: "post",
    path: "/v1/deliveries",
    id: "deliverTickets",
    tag,
    summary: "These tickets were shown to this person: their own that are PENDING become DELIVERED",
    who: "person",
    body: z.object({ ids: z.array(text(80)).min(1).max(1000) }),
    answer: { status: 200, schema: z.object({ tickets: z.array(ticketSchema()) }), description: "The tickets as they are then" },
    handle: async ({ engine, person, principal, body }) => {
      for (const id of body.ids) assertMayRead(engine, principal as Principal, id);
      return { body: { tickets: await person.deliver(body.ids) } };
    },
  }),
  act("deliver", "deliverTicket", "The ticket was shown to this person", z.object({}), ({ person }, id) => person.show(id)),
  act(
    "ack",
    "ackTicket",
    "The person is looking: the lease pauses, for good or for a while",
    z.object({ note: comment(), lapse_seconds: z.int().min(1).max(LIMITS.addedSecondsMax).optional() }),
    ({ person, body }, id) =>
      person.ack(id, body.note, body.lapse_seconds === undefined ? {} : { lapseSeconds: body.lapse_seconds }),
  ),
  act("extend", "extendTicket", "Give more time", seconds(), ({ person, body }, id) => person.extend(id, body.seconds)),
  act("snooze", "snoozeTicket", "Not now", seconds(), ({ person, body }, id) => person.snooze(id, body.seconds)),
  act("reassign", "reassignTicket", "Give it to somebody else", z.object({ to: text(80) }), ({ person, body }, id) =>
    person.reassign(id, body.to),
  ),
  act(
    "intents",
    "submitIntent",
    "Decide, or answer: unsigned words, or what was signed for a challenge",
    z.union([signedIntent(), plainIntent()]),
    ({ person, body }, id) => submitIntent(person, body, id),
    "handler",
  ),
  route({
    method: "post",
    path: "/v1/tickets/{id}/challenges",
    id: "issueChallenge",
    tag,
    summary: "What to sign for a decision; the ticket is acked for as long as it is valid",
    who: "person",
    body: z.object({ decision: decision(), comment: comment(), answer: z.unknown().optional(), edits: anyObject().optional() }),
    answer: {
      status: 201,
      schema: z.object({ statement: anyObject(), ticket: ticketSchema() }),
      description: "The statement, whose canonical JSON is hashed and signed",
    },
    handle: async (call) => {
      const id = call.params.id as string;
      assertMayRead(call.engine, call.principal as Principal, id);
      return { status: 201, body: await call.person.issueChallenge(id, given(call.body)) };
    },
  }),
  route({
    method: "post",
    path: "/v1/tickets/{id}/phrase",
    id: "issuePhrase",
    tag,
    summary: "The phrase that confirms a yes to a critical ticket, for the page alone: a token gets the page's address",
    who: "person",
    body: z.object({ decision: z.enum(PHRASE_DECISIONS).optional() }),
    bodyRequired: false,
    answer: {
      status: 201,
      schema: z.object({ phrase: z.string(), expires_at: z.string() }),
      description: "The phrase, for one use by this person",
    },
    handle: async (call) => {
      const id = call.params.id as string;
      const principal = call.principal as Principal;
      assertMayRead(call.engine, principal, id);
      const what = `${id} is critical, and a token alone cannot approve it. Sign it with a key, or:`;
      assertAtPage(principal, call.request, { path: `/tickets/${id}`, what, fields: { ticket_id: id } });
      return { status: 201, body: await call.person.issuePhrase(id, call.body.decision) };
    },
  }),
  route({
    method: "get",
    path: "/v1/tickets/{id}/history",
    id: "ticketHistory",
    tag,
    summary: "Everything that happened to a ticket, with names and words",
    who: "person",
    answer: { status: 200, schema: z.object({ events: z.array(anyObject()) }), description: "Its events, oldest first" },
    handle: async (call) => {
      const id = call.params.id as string;
      assertMayRead(call.engine, call.principal as Principal, id);
      return { body: { events: await call.person.history(id) } };
    },
  }),
  route({
    method: "get",
    path: "/v1/ticket-ids",
    id: "resolveTicketId",
    tag,
    summary: "From a prefix, a suffix or a short code to the id",
    who: "person",
    query: z.object({ text: text(80) }),
    answer: { status: 200, schema: z.object({ id: z.string(), exact: z.boolean() }), description: "The id" },
    handle: async ({ person, query, engine, principal }) => {
      const found = await person.resolveId(query.text);
      assertMayRead(engine, principal as Principal, found.id);
      return { body: found };
    },
  }),
  route({
    method: "post",
    path: "/v1/tickets/{id}/erase",
    id: "eraseTicket",
    tag,
    summary: "Delete texts of a ticket for good; the log still verifies",
    who: "person",
    body: z.object({ fields: z.array(text(40)).max(20).optional(), reason: comment() }),
    bodyRequired: false,
    answer: { status: 200, schema: anyObject(), description: "Which texts were erased" },
    handle: async (call) => {
      const ticket = call.params.id as string;
      assertMayRead(call.engine, call.principal as Principal, ticket);
      return { body: { ...(await call.person.erase({ ticket, ...given(call.body) })) } };
    },
  }),
];

/** A body that fails as a signed form is refused as one; it is never read as plain words. */
function submitIntent(person: Call["person"], body: object, id: string): Promise<Ticket> {
  if (!carriesSignedForm(body)) return decidePlain(person, parseWith(plainIntent(), body, "The body"), id);
  const { phrase: typed, ...intent } = body as Record<string, unknown>;
  return person.submitIntent(intent, { on: id, ...given({ phrase: parseWith(phrase(), typed, "phrase") }) });
}

function decidePlain(person: Call["person"], body: z.infer<ReturnType<typeof plainIntent>>, id: string): Promise<Ticket> {
  const { phrase: typed, edits, comment: words } = body;
  switch (body.decision) {
    case "approve":
      return person.approve(id, words, given({ phrase: typed, edits }));
    case "reject":
      return person.reject(id, words);
    case "request_changes":
      return person.requestChanges(id, words);
    case "answer":
      return person.answer(id, body.answer, given({ phrase: typed, comment: words }));
  }
}
