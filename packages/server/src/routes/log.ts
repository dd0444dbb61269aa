// The log: pages of events, the live stream, verification, and the policy in force.
import { HapError, type LoggedEvent } from "@hap/protocol";
import * as z from "zod";
import type { PersonPrincipal, Principal } from "../auth/principal.ts";
import { readFilter, resolvedFor, toLive, wants } from "../live/filter.ts";
import type { Hub } from "../live/hub.ts";
import { eventStream } from "../live/sse.ts";
import { assertAtPage } from "../page-needed.ts";
import { type Call, type Reply, type Route, route } from "../route.ts";
import { assertMayRead } from "../visible.ts";
import { anyObject, flag, loggedEvent, text, whole } from "./shapes.ts";

const tag = "log";
/** How many events one request looks at when few of them are wanted. */
const MOST_SCANNED = 5_000;

const narrow = () => ({
  person: text(80).optional(),
  agent: text(80).optional(),
  ticket: text(80).optional(),
  state: text(200).optional().meta({ description: "States with commas between" }),
});
const eventQuery = () =>
  z.object({
    ...narrow(),
    after: text(300).optional().meta({ description: "A cursor, or an event's id" }),
    limit: whole(1, 1000).optional(),
    resolved: flag().optional().meta({ description: "In the draft's shape, with names and words" }),
  });

async function events(call: Call<ReturnType<typeof eventQuery>>): Promise<Reply> {
  const { engine, query } = call;
  const principal = call.principal as Principal;
  const limit = query.limit ?? 200;
  if (query.ticket !== undefined) assertMayRead(engine, principal, query.ticket);
  const filter = readFilter(query);
  const found: LoggedEvent[] = [];
  let after = query.after;
  for (let scanned = 0; scanned < MOST_SCANNED && found.length < limit; ) {
    const page = engine.getEvents({
      ...(after === undefined ? {} : { after }),
      ...(query.ticket === undefined ? {} : { ticket: query.ticket }),
      limit: 500,
    });
    for (const event of page) {
      if (found.length === limit) break;
      after = event.cursor;
      const live = toLive(engine, event);
      if (!wants(principal, filter, live)) continue;
      const seen = resolvedFor(engine, principal, live);
      // In the draft's shape there is nothing but words: who may not read them gets no such event.
      if (query.resolved !== true || seen.resolved !== undefined) found.push(seen);
    }
    scanned += page.length;
    if (page.length < 500) break;
  }
  return { body: { events: query.resolved === true ? engine.resolve(found) : found, next: after ?? null } };
}

export const logRoutes = (hub: Hub): Route[] => [
  route({
    method: "get",
    path: "/v1/events",
    id: "listEvents",
    tag,
    summary: "Events that one may see, oldest first, after a cursor",
    who: "either",
    scope: "read_own",
    query: eventQuery(),
    answer: {
      status: 200,
      schema: z.object({ events: z.array(z.union([loggedEvent(), anyObject()])), next: z.string().nullable() }),
      description: "A page as anyone can verify it, and the cursor to go on after",
    },
    handle: events,
  }),
  route({
    method: "get",
    path: "/v1/events/stream",
    id: "streamEvents",
    tag,
    summary: "Events as they come, as Server-Sent Events; Last-Event-ID resumes. Also as a WebSocket, at /v1/events/socket",
    who: "either",
    scope: "read_own",
    query: z.object({
      ...narrow(),
      after: text(300).optional().meta({ description: "A cursor; empty: from the first event; left out: from now on" }),
    }),
    answer: { status: 200, schema: null, description: "One frame an event, its id the cursor", type: "text/event-stream" },
    handle: ({ request, principal, query }) =>
      eventStream(hub, {
        principal: principal as Principal,
        filter: readFilter(query),
        after: request.headers.get("last-event-id") ?? query.after ?? null,
        signal: request.signal,
      }),
  }),
  route({
    method: "get",
    path: "/v1/log",
    id: "logHealth",
    tag,
    summary: "The end of the chain, who could have written it, and whether anything is wrong with it",
    who: "person",
    answer: {
      status: 200,
      schema: z.object({
        seq: z.int(),
        hash: z.string(),
        cursor: z.string().nullable(),
        trust: z.enum(["open", "apart", "remote"]),
        violation: z.string().nullable(),
        last_verification: z
          .object({
            at: z.string(),
            ok: z.boolean(),
            events: z.int(),
            head: z.string(),
            chain_only: z.boolean(),
            problem: z.string().nullable(),
          })
          .nullable(),
      }),
      description: "The log's health",
    },
    handle: ({ engine }) => ({
      body: {
        ...engine.head(),
        trust: engine.trust,
        violation: engine.violation(),
        last_verification: engine.lastVerification(),
      },
    }),
  }),
  route({
    method: "post",
    path: "/v1/log/verify",
    id: "verifyLog",
    tag,
    summary: "Check the log: sequence, hashes, legality, texts, tickets; for owners and auditors. What was found is kept",
    who: "person",
    body: z.object({ chain_only: z.boolean().optional() }),
    bodyRequired: false,
    answer: { status: 200, schema: anyObject(), description: "What was found" },
    handle: async ({ person, principal, body }) => {
      const { role } = principal as PersonPrincipal;
      if (role !== "owner" && role !== "auditor")
        throw new HapError("scope_missing", "A verification reads the whole log; it is for owners and auditors.");
      return { body: await person.verify({ chainOnly: body.chain_only === true }) };
    },
  }),
  route({
    method: "get",
    path: "/v1/policy",
    id: "getPolicy",
    tag: "policy",
    summary: "The user's policy as it is now, and whether it is confirmed",
    who: "person",
    answer: {
      status: 200,
      schema: z.object({ path: z.string(), hash: z.string(), trusted: z.boolean(), text: z.string() }),
      description: "The policy",
    },
    handle: async ({ person }) => {
      const { path, hash, trusted, text: words } = await person.policy();
      return { body: { path, hash, trusted, text: words } };
    },
  }),
  route({
    method: "post",
    path: "/v1/policy/trust",
    id: "trustPolicy",
    tag: "policy",
    summary: "Confirm the policy that the person saw, with the phrase that was issued for it",
    who: "owner",
    body: z.object({ hash: text(80), phrase: text(100) }),
    answer: { status: 200, schema: z.object({ path: z.string(), hash: z.string() }), description: "What is in force now" },
    handle: async ({ person, body }) => ({ body: await person.trustPolicy(body) }),
  }),
  route({
    method: "post",
    path: "/v1/policy",
    id: "savePolicy",
    tag: "policy",
    summary: "Write the user's policy and confirm it, if it is still the one that the person saw",
    who: "owner",
    body: z.object({ text: text(200_000), replaces: text(80).nullable(), phrase: text(100) }),
    maxBytes: 512 * 1024,
    answer: { status: 200, schema: z.object({ path: z.string(), hash: z.string() }), description: "What is in force now" },
    handle: ({ engine, person, body }) => ({ body: engine.savePolicy({ ...body, by: person.person }) }),
  }),
  route({
    method: "post",
    path: "/v1/policy/phrase",
    id: "issuePolicyPhrase",
    tag: "policy",
    summary:
      "The phrase that puts a policy in force, by its hash or its text; for the page alone: a token gets the page's address",
    who: "owner",
    body: z.union([z.object({ hash: text(80) }), z.object({ text: text(200_000) })]),
    maxBytes: 512 * 1024,
    answer: {
      status: 201,
      schema: z.object({ phrase: z.string(), expires_at: z.string() }),
      description: "The phrase, for one use by this person",
    },
    handle: ({ engine, person, principal, request, body }) => {
      const what = "A policy answers in your name, and a token alone cannot put one in force.";
      assertAtPage(principal, request, { path: "/settings", what });
      return {
        status: 201,
        body: engine.issuePolicyPhrase({ ...body, by: person.person }),
        headers: { "cache-control": "no-store" },
      };
    },
  }),
  route({
    method: "post",
    path: "/v1/policy/preview",
    id: "previewPolicy",
    tag: "policy",
    summary: "How a proposed policy would have answered the last 200 tickets; writes nothing",
    who: "owner",
    body: z.object({ text: text(200_000) }),
    maxBytes: 512 * 1024,
    answer: { status: 200, schema: anyObject(), description: "Its answer to each ticket, and how that really ended" },
    handle: ({ engine, body }) => ({ body: { ...engine.previewPolicy(body.text) } }),
  }),
  route({
    method: "post",
    path: "/v1/policy/check",
    id: "checkPolicy",
    tag: "policy",
    summary: "How the policy would answer a ticket; writes nothing",
    who: "person",
    body: anyObject(),
    answer: { status: 200, schema: anyObject(), description: "The verdict, and what the runtime found" },
    handle: async ({ person, body }) => ({ body: await person.checkPolicy(body) }),
  }),
  route({
    method: "post",
    path: "/v1/policy/decide",
    id: "decideByPolicy",
    tag: "policy",
    summary: "Ask the policy about a call; a deny is recorded, an ask with the ticket that it opens",
    who: "agent",
    scope: "create",
    body: z.object({ call_hash: text(80), input: anyObject() }),
    answer: { status: 200, schema: anyObject(), description: "The verdict" },
    handle: async ({ agent, body }) => ({ body: await agent.decideByPolicy(body.input, body.call_hash) }),
  }),
];
