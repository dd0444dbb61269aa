// What only agents do (D2): ask and keep asking, use an answer, join and leave. Nothing here decides, except a relayed answer.
import { LIMITS } from "../constants.ts";
import type { GrantUse, SeenCall } from "../grant/grant.ts";
import type { CreateTicketInput } from "../schema/create-ticket.ts";
import { eitherOperations, ticket } from "./either.ts";
import { operation } from "./operation.ts";
import type { JoinInput, PolicyDecision } from "./types.ts";

export { me } from "./either.ts";

/** Operations by which an agent changes a ticket of its own. */
const own = { method: "POST", tag: "tickets", who: "agent", scope: "create", answer: "The ticket as it is then" } as const;

const conversation = { tag: "conversations", who: "agent", scope: "create" } as const;

/** A question's input; `from` is the acting agent. */
type QuestionInput = Omit<CreateTicketInput, "from"> & { ask: NonNullable<CreateTicketInput["ask"]> };

/** Every operation that agents may call. */
export const agentOperations = {
  ...eitherOperations,
  renew: operation({
    ...own,
    id: "renewTicket",
    path: "/v1/tickets/{id}/renew",
    summary: "Keep a ticket open while somebody really waits for it",
    output: ticket,
    call: (id: string) => ({ id }),
  }),
  /** Use a yes, once, before anything is started (D17). */
  consume: operation({
    ...own,
    id: "consumeTicket",
    path: "/v1/tickets/{id}/consume",
    summary: "Use a yes, once, before anything is started",
    input: (s) => s.object({ call_hash: s.text(80) }),
    output: ticket,
    call: (id: string, callHash: string) => ({ id, call_hash: callHash }),
  }),
  /** Acknowledge that the agent received the outcome. */
  heard: operation({
    ...own,
    id: "heardTicket",
    path: "/v1/tickets/{id}/heard",
    summary: "Acknowledge that the agent received the outcome",
    output: ticket,
    call: (id: string) => ({ id }),
  }),
  /** Pass on an answer that the client's own user gave: level none, not for critical questions (D4). */
  relayAnswer: operation({
    ...own,
    id: "relayAnswer",
    path: "/v1/tickets/{id}/relay",
    summary: "Pass on an answer that the client's own user gave: level none, not for critical questions",
    input: (s) => s.object({ answer: s.unknown() }),
    output: ticket,
    call: (id: string, answer: unknown) => ({ id, answer }),
  }),
  /** Ask, or find the same question again while its answer was not received and it is not older than 24 hours (D26). */
  cue: operation({
    ...own,
    id: "cue",
    path: "/v1/cues",
    summary: "Ask, or find the same question again while its answer was not heard",
    input: (s) => s.createTicket(),
    needsBody: true,
    parsedBy: "handler",
    maxBytes: 4 * 1024 * 1024,
    status: 201,
    output: ticket,
    answer: "The question",
    span: "ticket.create",
    logs: "Ticket created",
    call: (input: QuestionInput) => input,
  }),
  /** The policy's verdict on an action. A deny is recorded, an ask with the ticket that it opens. */
  decideByPolicy: operation({
    id: "decideByPolicy",
    method: "POST",
    path: "/v1/policy/decide",
    tag: "policy",
    summary: "Ask the policy about a call; a deny is recorded, an ask with the ticket that it opens",
    who: "agent",
    scope: "create",
    input: (s) => s.object({ call_hash: s.text(80), input: s.anyObject(), seen: s.seenCall().optional() }),
    output: (s) => s.json<PolicyDecision>(),
    answer: "The verdict",
    call: (input: Omit<CreateTicketInput, "from">, callHash: string, seen?: SeenCall) => ({
      input,
      call_hash: callHash,
      seen,
    }),
  }),
  /**
   * Use a grant for a call that a person would be asked about (D43): counted before it is told. Null where none covers it. `seen` is
   * what the caller's own disk shows; it only narrows.
   */
  useGrant: operation({
    id: "useGrant",
    method: "POST",
    path: "/v1/grants/use",
    tag: "grants",
    summary: "Use a grant for a call that a person would be asked about; counted before it is told",
    who: "agent",
    scope: "create",
    input: (s) => s.object({ call_hash: s.text(80), input: s.anyObject(), seen: s.seenCall().optional() }),
    output: (s) => s.object({ use: s.json<GrantUse>().nullable() }),
    answer: "The grant that was used, or null",
    call: (input: Omit<CreateTicketInput, "from">, callHash: string, seen?: SeenCall) => ({
      input,
      call_hash: callHash,
      seen,
    }),
    give: "use",
  }),
  /** Begin a conversation: a new agent with a name of its own (D26). A name is a label; it proves nothing. */
  join: operation({
    ...conversation,
    id: "joinAgent",
    method: "POST",
    path: "/v1/agents",
    summary: "Begin a conversation: a new agent with a name of its own, which this key answers for",
    input: (s) =>
      s.object({
        agent_runtime: s.text(100),
        project_dir: s.text(4096).nullish(),
        agent_terminal: s.text(200).nullish(),
        label: s.text(1000).nullish(),
        resume: s.enum(["unfinished", "last"]).optional(),
      }),
    status: 201,
    output: (s) => s.agentCard(),
    answer: "The agent",
    call: (input: JoinInput) => input,
  }),
  /** Report that the agent is alive; undoes `leave`. */
  seen: operation({
    ...conversation,
    id: "agentSeen",
    method: "POST",
    path: "/v1/seen",
    summary: "Report that the acting agent (HAP-Agent) is alive",
    output: (s) => s.agentCard(),
    answer: "What is known of the agent",
    call: () => ({}),
  }),
  /** The agent is gone; its open tickets are withdrawn with the reason. */
  leave: operation({
    ...conversation,
    id: "agentLeave",
    method: "POST",
    path: "/v1/leave",
    summary: "The acting agent is gone; its open tickets are withdrawn with the reason",
    input: (s) => s.object({ reason: s.text(LIMITS.commentChars) }),
    output: (s) => s.agentCard(),
    answer: "What is known of the agent",
    call: (reason: string) => ({ reason }),
  }),
  /**
   * Report that this process waits for the ticket, or does so no longer. One report counts for 30 seconds: people see which question
   * is listened to, and older ones that nothing listens to are withdrawn (D26).
   */
  listen: operation({
    ...own,
    id: "listenTicket",
    path: "/v1/tickets/{id}/listen",
    summary: "Report that a process of the agent waits for the ticket, or does so no longer; counts for 30 seconds",
    input: (s) => s.object({ listening: s.boolean() }),
    output: ticket,
    call: (id: string, listening: boolean) => ({ id, listening }),
  }),
  /** Questions that a person answered while nothing listened, oldest first. Show the answers, then call `heard`. */
  unheard: operation({
    ...conversation,
    id: "unheardAnswers",
    method: "GET",
    path: "/v1/unheard",
    summary: "Questions of the acting agent that were answered while it did not listen, oldest first",
    scope: "read_own",
    output: (s) => s.object({ tickets: s.array(s.ticket()) }),
    answer: "The questions",
    call: () => ({}),
    give: "tickets",
  }),
  /** Messages that people left for this agent, in their order. */
  queued: operation({
    ...conversation,
    id: "queuedMessages",
    method: "GET",
    path: "/v1/messages",
    summary: "Messages that wait for the acting agent, oldest first",
    scope: "read_own",
    output: (s) => s.object({ messages: s.array(s.message()) }),
    answer: "Messages",
    call: () => ({}),
    give: "messages",
  }),
  /** Mark messages as received. A question that they answered is over; returns it as it is then. */
  takeQueued: operation({
    ...conversation,
    id: "takeMessages",
    method: "POST",
    path: "/v1/messages/take",
    summary: "Mark messages as received; a question that they answered is over",
    input: (s) => s.object({ ids: s.array(s.text(60)).max(LIMITS.messagesPerTake), ticket_id: s.text(80).optional() }),
    output: (s) => s.object({ ticket: s.ticket().nullable() }),
    answer: "The question, as it is then",
    call: (ids: readonly string[], ticketId?: string) => ({ ids: [...ids], ticket_id: ticketId }),
    give: "ticket",
  }),
};
