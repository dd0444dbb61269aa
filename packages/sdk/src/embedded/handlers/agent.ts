// What agents do, on an engine. Writes go through `later`: one sync to disk for all of one turn of the event loop.
import type { HapEngine } from "@hap/core";
import type { Ticket } from "@hap/protocol";
import type { agentOperations } from "@hap/protocol/operations/agent";
import { type AgentCaller, assertMayRead } from "../caller.ts";
import { askerOf, eitherHandlers } from "./either.ts";
import type { Handlers } from "./handlers.ts";

/** Handlers of the agent's half. */
export const agentHandlers: Handlers<typeof agentOperations, AgentCaller> = {
  ...eitherHandlers,
  renew: (caller, { id }) => own(caller, id, (engine, agent) => engine.renew(id, agent)),
  consume: (caller, { id, call_hash }) => own(caller, id, (engine, by) => engine.consume(id, { by, call_hash })),
  heard: (caller, { id }) => own(caller, id, (engine, agent) => engine.heard(id, agent)),
  relayAnswer: (caller, { id, answer }) => own(caller, id, (engine, agent) => engine.relayAnswer(id, answer, agent)),
  cue: async (caller, input) => {
    const { engine } = caller;
    const prepared = await engine.prepareTicket({ ...input, from: askerOf(caller, input.from) });
    return engine.later(() => engine.cue(prepared));
  },
  decideByPolicy: async ({ engine, agent }, { input, call_hash, seen }) => {
    const prepared = await engine.prepareTicket({ ...input, from: agent });
    return engine.later(() => engine.decideByPolicy(prepared, call_hash, seen));
  },
  useGrant: async ({ engine, agent }, { input, call_hash, seen }) => {
    const prepared = await engine.prepareTicket({ ...input, from: agent });
    return { use: await engine.later(() => engine.useGrant(prepared, call_hash, seen)) };
  },
  join: ({ engine, owner }, input) =>
    engine.later(() => {
      const card = engine.joinAgent(input, owner);
      // A name that was taken up again stays with the key that brought it in.
      if (owner !== null && engine.agentOwner(card.agent) === null) engine.ownAgent(card.agent, owner);
      return card;
    }),
  seen: ({ engine, agent }) => engine.later(() => engine.seenAgent(agent)),
  leave: ({ engine, agent }, { reason }) => engine.later(() => engine.leaveAgent(agent, reason)),
  listen: (caller, { id, listening }) => own(caller, id, (engine, agent) => engine.listen(id, agent, listening)),
  unheard: ({ engine, agent }) => ({ tickets: engine.unheard(agent) }),
  queued: ({ engine, agent }) => ({ messages: engine.queuedMessages(agent) }),
  takeQueued: async ({ engine, agent }, { ids, ticket_id }) => ({
    ticket: await engine.later(() => engine.takeMessages(agent, ids, ticket_id ?? null)),
  }),
};

/** Change a ticket of the agent's own; others' are as good as absent. */
async function own(caller: AgentCaller, id: string, work: (engine: HapEngine, agent: string) => Ticket): Promise<Ticket> {
  const { engine, agent } = caller;
  assertMayRead(caller, id);
  engine.assertAsker(id, agent);
  return engine.later(() => work(engine, agent));
}
