// Which events a listener gets: what it may see, narrowed by what it asked for.
import type { HapEngine } from "@hap/core";
import { HapError, type LoggedEvent, TICKET_STATES, type TicketState, ticketIdOf } from "@hap/protocol";
import type { Principal } from "../auth/principal.ts";

/** How a listener narrows the stream. */
export type LiveFilter = {
  person?: string | undefined;
  agent?: string | undefined;
  ticket?: string | undefined;
  state?: readonly TicketState[] | undefined;
  /** Nothing but what happens to tickets. */
  ticketsOnly?: boolean | undefined;
};

/** An event as it is passed on. Its text is made when it is first sent, and forgotten when a later event may change its words. */
export type LiveEvent = { event: LoggedEvent; about: About | null; text: string | null };
/** The ticket of an event, as far as filters look at it. */
type About = {
  id: string;
  from: string;
  to: string;
  state: TicketState;
  escalateTo: readonly string[];
  voters: readonly string[];
};

/** Prepare an event for everybody who listens. */
export function toLive(engine: HapEngine, event: LoggedEvent): LiveEvent {
  return { event, about: aboutOf(engine, event), text: null };
}

/** The event for a reader who may see it: with names and words, in addition to what is hashed. */
export function resolvedFor(engine: HapEngine, principal: Principal, { event, about }: LiveEvent): LoggedEvent {
  return mayReadWords(principal, event, about) ? { ...event, resolved: engine.resolveWords(event) } : event;
}

/** The same as JSON. One text serves everybody who may read the words. */
export function textFor(engine: HapEngine, principal: Principal, live: LiveEvent): string {
  if (!mayReadWords(principal, live.event, live.about)) return JSON.stringify(live.event);
  live.text ??= JSON.stringify(resolvedFor(engine, principal, live));
  return live.text;
}

/**
 * Words of tickets are for all who see the ticket. An agent does not read what people note for each other, and hears a message that
 * waits for it when it takes it, which is recorded.
 */
function mayReadWords(principal: Principal, event: LoggedEvent, about: About | null): boolean {
  if (principal.kind === "person") return true;
  if (about === null) return false;
  const { payload } = event;
  return payload.type !== "ticket.note" || payload.from === principal.agent;
}

function aboutOf(engine: HapEngine, { payload }: LoggedEvent): About | null {
  const id = ticketIdOf(payload);
  if (id === null) return null;
  const parties = engine.parties(id);
  return parties === null ? null : { id, ...parties };
}

/** May they see it, and did they ask for it? */
export function wants(principal: Principal, filter: LiveFilter, { event, about }: LiveEvent): boolean {
  if (!maySee(principal, event, about)) return false;
  if (filter.ticketsOnly === true && about === null) return false;
  if (filter.ticket !== undefined && about?.id !== filter.ticket) return false;
  if (filter.person !== undefined && about?.to !== filter.person && !about?.voters.includes(filter.person)) return false;
  if (filter.state !== undefined && (about === null || !filter.state.includes(about.state))) return false;
  return filter.agent === undefined || about?.from === filter.agent || agentOf(event) === filter.agent;
}

function maySee(principal: Principal, event: LoggedEvent, about: About | null): boolean {
  if (principal.kind === "agent")
    return principal.scopes.includes("read_all") || about?.from === principal.agent || agentOf(event) === principal.agent;
  if (principal.role !== null) return true;
  return about !== null && [about.to, ...about.escalateTo, ...about.voters].includes(principal.person);
}

/** The agent that an event is about. Its keys are its owner's business. */
function agentOf({ payload }: LoggedEvent): string | null {
  return "agent" in payload && payload.type !== "key.create" ? payload.agent : null;
}

/** A filter from words; `state` may be a list. */
export function readFilter(words: {
  person?: string | undefined;
  agent?: string | undefined;
  ticket?: string | undefined;
  state?: string | undefined;
}): LiveFilter {
  const { person, agent, ticket, state } = words;
  if (state === undefined) return { person, agent, ticket };
  const states = state.split(",") as TicketState[];
  const unknown = states.find((name) => !TICKET_STATES.includes(name));
  if (unknown === undefined) return { person, agent, ticket, state: states };
  throw new HapError("invalid_input", `state is ${unknown.slice(0, 40)}; it must be of ${TICKET_STATES.join(", ")}.`, {
    field: "state",
  });
}
