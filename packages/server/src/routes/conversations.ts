// Conversations: agents that join and ask, people who leave words for them.
import { HapError, LIMITS, quote } from "@hap/protocol";
import * as z from "zod";
import type { AgentPrincipal, Principal } from "../auth/principal.ts";
import { type Route, route } from "../route.ts";
import { seesAll } from "../visible.ts";
import { agentCard, anyObject, erasureAnswer, erasureBody, flag, given, message, text, whole } from "./shapes.ts";

const tag = "conversations";
const path = (rest = "") => `/v1/agents/{agent}${rest}`;
const cardAnswer = { status: 200, schema: agentCard(), description: "What is known of the agent" };
const joinBody = () =>
  z.object({
    agent_runtime: text(100),
    project_dir: text(4096).nullish(),
    agent_terminal: text(200).nullish(),
    label: text(1000).nullish(),
    resume: z.enum(["unfinished", "last"]).optional(),
  });
const newMessage = () =>
  z.object({
    text: text(100_000).optional(),
    attachments: z
      .array(z.object({ name: text(200), media_type: text(100).optional(), data: z.base64() }))
      .max(LIMITS.attachmentsMax)
      .optional(),
  });

/** What the caller may not see is not there for them. */
function agentHidden(agent: string): HapError {
  return new HapError("agent_unknown", `There is no agent ${quote(agent)} that you may see.`, { agent });
}

export const conversationRoutes = (): Route[] => [
  route({
    method: "post",
    path: "/v1/agents",
    id: "joinAgent",
    tag,
    summary: "Begin a conversation: a new agent with a name of its own, which this key answers for",
    who: "agent",
    scope: "create",
    body: joinBody(),
    answer: { status: 201, schema: agentCard(), description: "The agent" },
    handle: async ({ agent, body, engine, principal }) => {
      const card = await agent.join(given(body));
      const { owner } = principal as AgentPrincipal;
      // A name that was taken up again stays with whoever brought it in.
      if (engine.agentOwner(card.agent) === null) engine.ownAgent(card.agent, owner);
      return { status: 201, body: card };
    },
  }),
  route({
    method: "get",
    path: "/v1/agents",
    id: "listAgents",
    tag,
    summary: "Agents that joined, last seen first; with `hints`, those that fit them, best first",
    who: "either",
    scope: "read_own",
    query: z.object({
      hints: text(1000).optional(),
      project: text(4096).optional(),
      agent_runtime: text(64).optional(),
      present: flag().optional(),
      limit: whole(1, 500).optional(),
    }),
    answer: { status: 200, schema: z.object({ agents: z.array(agentCard()) }), description: "Agents" },
    handle: async ({ principal, engine, query }) => {
      const { hints, ...rest } = given(query);
      const found = hints === undefined ? engine.listAgents(rest) : engine.recallAgents(hints);
      if (principal?.kind !== "agent" || seesAll(principal)) return { body: { agents: found } };
      return { body: { agents: found.filter(({ agent }) => engine.agentOwner(agent) === principal.owner) } };
    },
  }),
  route({
    method: "get",
    path: path(),
    id: "getAgent",
    tag,
    summary: "What is known of an agent",
    who: "either",
    scope: "read_own",
    answer: cardAnswer,
    handle: async ({ principal, engine, params }) => {
      const name = params.agent as string;
      const foreign = principal?.kind === "agent" && !seesAll(principal) && name !== principal.agent;
      if (foreign && engine.agentOwner(name) !== principal.owner) throw agentHidden(name);
      return { body: engine.getAgent(name) };
    },
  }),
  route({
    method: "post",
    path: "/v1/seen",
    id: "agentSeen",
    tag,
    summary: "A sign of life of the acting agent (HAP-Agent)",
    who: "agent",
    scope: "create",
    answer: cardAnswer,
    handle: async ({ agent }) => ({ body: await agent.seen() }),
  }),
  route({
    method: "post",
    path: "/v1/leave",
    id: "agentLeave",
    tag,
    summary: "The acting agent is gone; its open tickets are withdrawn with the reason",
    who: "agent",
    scope: "create",
    body: z.object({ reason: text(LIMITS.commentChars) }),
    answer: cardAnswer,
    handle: async ({ agent, body }) => ({ body: await agent.leave(body.reason) }),
  }),
  route({
    method: "get",
    path: "/v1/messages",
    id: "queuedMessages",
    tag,
    summary: "Words that wait for the acting agent, oldest first",
    who: "agent",
    scope: "read_own",
    answer: { status: 200, schema: z.object({ messages: z.array(message()) }), description: "Words" },
    handle: async ({ agent }) => ({ body: { messages: await agent.queued() } }),
  }),
  route({
    method: "post",
    path: "/v1/messages/take",
    id: "takeMessages",
    tag,
    summary: "These words were heard; a question in whose place they were told is over",
    who: "agent",
    scope: "create",
    body: z.object({ ids: z.array(text(60)).max(LIMITS.messagesPerTake), ticket_id: text(80).optional() }),
    answer: { status: 200, schema: z.object({ ticket: anyObject().nullable() }), description: "The question, as it is then" },
    handle: async ({ agent, body }) => ({ body: { ticket: await agent.takeQueued(body.ids, body.ticket_id) } }),
  }),
  route({
    method: "get",
    path: "/v1/unheard",
    id: "unheardAnswers",
    tag,
    summary: "Questions of the acting agent that were answered while it did not listen, oldest first",
    who: "agent",
    scope: "read_own",
    answer: { status: 200, schema: z.object({ tickets: z.array(anyObject()) }), description: "The questions" },
    handle: async ({ agent }) => ({ body: { tickets: await agent.unheard() } }),
  }),
  route({
    method: "get",
    path: "/v1/messages/{id}/attachments/{index}",
    id: "getAttachment",
    tag,
    summary: "The bytes of a file that came with a message",
    who: "either",
    scope: "read_own",
    answer: { status: 200, schema: null, description: "The bytes", type: "application/octet-stream" },
    handle: async ({ principal, agent, engine, params }) => {
      const index = /^[0-9]{1,3}$/.test(params.index ?? "") ? Number(params.index) : -1;
      const id = params.id as string;
      if (principal?.kind === "agent" && !seesAll(principal)) engine.assertMessageFor(id, agent.agent);
      if (principal?.kind === "person" && !seesAll(principal)) engine.assertMessageFrom(id, principal.person);
      const bytes = engine.attachment(id, index);
      return new Response(new Uint8Array(bytes), {
        headers: { "content-type": "application/octet-stream", "content-disposition": "attachment" },
      });
    },
  }),
  route({
    method: "get",
    path: path("/conversation"),
    id: "conversation",
    tag,
    summary: "The newest questions of an agent and the words around them",
    who: "person",
    query: z.object({ limit: whole(1, 200).optional() }),
    answer: { status: 200, schema: anyObject(), description: "A stretch of the conversation, oldest first" },
    handle: async ({ engine, person, params, query, principal }) => {
      const name = params.agent as string;
      const found = engine.conversation(name, query.limit);
      if (seesAll(principal as Principal)) return { body: found };
      const tickets = found.tickets.filter(({ to }) => to === person.person);
      const messages = found.messages.filter(({ from }) => from === person.person);
      if (tickets.length === 0 && messages.length === 0 && found.tickets.length + found.messages.length > 0)
        throw agentHidden(name);
      return { body: { ...found, tickets, messages } };
    },
  }),
  route({
    method: "post",
    path: path("/messages"),
    id: "queueMessage",
    tag,
    summary: "Leave words, or files, for an agent's next question",
    who: "person",
    body: newMessage(),
    maxBytes: 24 * 1024 * 1024,
    answer: { status: 201, schema: message(), description: "The message" },
    handle: async ({ person, params, body }) => {
      const attachments = body.attachments?.map(({ data, ...about }) => ({ ...given(about), data: Buffer.from(data, "base64") }));
      return { status: 201, body: await person.queue(params.agent as string, given({ text: body.text, attachments })) };
    },
  }),
  route({
    method: "post",
    path: path("/queue"),
    id: "changeQueue",
    tag,
    summary: "Withdraw, edit or reorder words of your own that wait for an agent",
    who: "person",
    body: z.union([
      z.object({ withdraw: text(60) }),
      z.object({ edit: text(60), text: text(100_000) }),
      z.object({ order: z.array(text(60)).max(LIMITS.messagesPerTake) }),
    ]),
    answer: { status: 200, schema: z.object({ messages: z.array(message()) }), description: "Your words that wait then" },
    handle: async ({ person, params, body }) => ({
      body: { messages: await person.changeQueue(params.agent as string, body) },
    }),
  }),
  route({
    method: "post",
    path: path("/label"),
    id: "labelAgent",
    tag,
    summary: "Give an agent a label and put it into a group",
    who: "person",
    body: z.object({ name: text(100).nullable(), group: text(100).nullable() }),
    answer: cardAnswer,
    handle: async ({ person, params, body }) => ({ body: await person.labelAgent(params.agent as string, body) }),
  }),
  route({
    method: "post",
    path: "/v1/broadcasts",
    id: "broadcast",
    tag,
    summary: "The same words to several agents: an answer where one is awaited and words fit, else queued",
    who: "person",
    body: z.object({ agents: z.array(text(80)).min(1).max(200), text: text(100_000) }),
    answer: { status: 200, schema: z.object({ sent: z.array(anyObject()) }), description: "What became of them" },
    handle: async ({ person, body }) => ({ body: { sent: await person.broadcast(body.agents, body.text) } }),
  }),
  route({
    method: "post",
    path: "/v1/conversations/erase",
    id: "eraseConversation",
    tag,
    summary: "Delete for good the words and files of a message, or what an agent said of itself",
    who: "person",
    body: erasureBody().extend({ message: text(60).optional(), agent: text(80).optional() }),
    answer: erasureAnswer(),
    handle: async ({ person, body }) => {
      const what = body.message === undefined ? { agent: body.agent ?? "" } : { message: body.message };
      return { body: { erased: await person.eraseConversation(what, body.reason) } };
    },
  }),
];
