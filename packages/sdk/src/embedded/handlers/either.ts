// Operations of agents and people on an engine: each sees what is theirs.
import type { HapEngine, PreparedTicket } from "@hap/core";
import { type AgentCard, DEFAULTS, HapError, type LoggedEvent, quote, type Ticket, ticketIdOf } from "@hap/protocol";
import { type eitherOperations, LONGEST_WAIT_SECONDS } from "@hap/protocol/operations/either";
import { assertMayRead, type Caller } from "../caller.ts";
import type { Handlers } from "./handlers.ts";

/** Handlers of what both halves may do. */
export const eitherHandlers: Handlers<typeof eitherOperations, Caller> = {
  createTicket: async (caller, { idempotency_key: key, ...input }) => {
    const { engine } = caller;
    const asked = { ...input, from: askerOf(caller, input.from) };
    const prepared = await engine.prepareTicket(asked);
    return engine.later(() => (key === undefined ? engine.createTicket(prepared) : createOnce(engine, asked, prepared, key)));
  },
  list: (caller, query) => {
    const { engine } = caller;
    if (caller.kind === "agent") return engine.list(caller.readsAll ? query : { ...query, from: caller.agent });
    return engine.list(caller.readsAll ? query : { ...query, to: caller.person });
  },
  getTicket: (caller, { id, wait = 0 }) => {
    assertMayRead(caller, id);
    const seconds = Math.min(wait, LONGEST_WAIT_SECONDS);
    const { engine } = caller;
    return seconds === 0 ? engine.getTicket(id) : engine.waitFor(id, { timeout: seconds * 1000, signal: caller.signal });
  },
  cancel: (caller, { id, reason }) => change(caller, id, (engine, by) => engine.cancel(id, reason, { by })),
  note: (caller, { id, text }) => change(caller, id, (engine, by) => engine.note(id, text, by)),
  grants: (caller, query) => {
    const { engine } = caller;
    if (caller.kind === "agent") return { grants: engine.grants({ state: "active", agent: caller.agent }) };
    const found = engine.grants(query);
    return { grants: caller.readsAll ? found : found.filter(({ person }) => person === caller.person) };
  },
  eventPage: (caller, { after, limit = 1000, ticket, agent, resolved }) => {
    const { engine } = caller;
    const query = { limit, ...(after === undefined ? {} : { after }), ...(ticket === undefined ? {} : { ticket }) };
    const own = caller.kind === "agent" ? caller.agent : agent;
    const found = engine.getEvents(own === undefined ? query : { ...query, agent: own });
    const next = found.length < limit ? null : (found.at(-1)?.cursor ?? null);
    if (resolved === true) return { events: engine.resolve(found) as Record<string, unknown>[], next };
    return { events: caller.kind === "agent" ? found.map((event) => withWords(engine, caller.agent, event)) : found, next };
  },
  agents: (caller, { hints, ...query }) => {
    const { engine } = caller;
    const found = hints === undefined ? engine.listAgents(query) : engine.recallAgents(hints);
    return { agents: found.filter(({ agent }) => seesAgent(caller, agent)) };
  },
  getAgent: (caller, { agent }): AgentCard => {
    if (caller.kind === "agent" && agent !== caller.agent && !seesAgent(caller, agent)) throw agentHidden(agent);
    return caller.engine.getAgent(agent);
  },
  attachment: (caller, { id, index }) => {
    const { engine, readsAll } = caller;
    if (!readsAll && caller.kind === "agent" && caller.owner !== null) engine.assertMessageFor(id, caller.agent);
    if (!readsAll && caller.kind === "person") engine.assertMessageFrom(id, caller.person);
    return engine.attachment(id, /^[0-9]{1,3}$/.test(index) ? Number(index) : -1);
  },
};

/** Who opens: the agent itself, or the agent that a person names. The body was not parsed yet. */
export function askerOf(caller: Caller, from: unknown): string {
  if (from !== undefined && typeof from !== "string")
    throw new HapError("invalid_input", "from must be the id of an agent, such as agent:ci.", { field: "from" });
  if (caller.kind === "person") return from ?? DEFAULTS.agent;
  if (from === undefined || from === caller.agent) return caller.agent;
  throw new HapError("scope_missing", `This key opens tickets as ${caller.agent}; from is ${quote(from)}. Leave it out.`, {
    field: "from",
    agent: caller.agent,
  });
}

/** The ticket that the same key and the same input made before, or a new one. */
function createOnce(engine: HapEngine, input: { from: string }, prepared: PreparedTicket, key: string): Ticket {
  if (key.length < 1 || key.length > 200)
    throw new HapError("invalid_input", "Idempotency-Key must have 1 to 200 characters.", { field: "Idempotency-Key" });
  const request = JSON.stringify(input);
  const before = engine.madeBefore(input.from, key, request);
  if (before !== null) return engine.getTicket(before);
  const made = engine.createTicket(prepared);
  engine.rememberMade(input.from, key, request, made.id);
  return made;
}

/** Change a ticket that the caller may see; an agent only its own. */
async function change(caller: Caller, id: string, work: (engine: HapEngine, by: string) => Ticket): Promise<Ticket> {
  const { engine } = caller;
  assertMayRead(caller, id);
  if (caller.kind === "agent") engine.assertAsker(id, caller.agent);
  const by = caller.kind === "agent" ? caller.agent : caller.person;
  return engine.later(() => work(engine, by));
}

/** Words of the agent's own tickets; not what people note for each other, nor a message that was not taken. */
function withWords(engine: HapEngine, agent: string, event: LoggedEvent): LoggedEvent {
  const { payload } = event;
  const readable = ticketIdOf(payload) !== null && (payload.type !== "ticket.note" || payload.from === agent);
  return readable ? { ...event, resolved: engine.resolveWords(event) } : event;
}

/** People, and agents on an embedded store, see every agent; an agent with a key those that joined through it. */
function seesAgent(caller: Caller, agent: string): boolean {
  if (caller.kind === "person" || caller.readsAll || caller.owner === null) return true;
  return caller.engine.agentOwner(agent) === caller.owner;
}

/** The error for an agent that the caller may not see, the same as for one that does not exist. */
export function agentHidden(agent: string): HapError {
  return new HapError("agent_unknown", `There is no agent ${quote(agent)} that you may see.`, { agent });
}
