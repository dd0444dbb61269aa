// What people do with tickets, on an engine.
import type { HapEngine } from "@hap/core";
import { carriesSignedForm, type GroupResult, groupKey, HapError, isHapError, parseWith, type Ticket } from "@hap/protocol";
import { shapes } from "@hap/protocol/operations";
import type { decisionOperations } from "@hap/protocol/operations/person";
import { assertMayRead, type PersonCaller } from "../caller.ts";
import type { Handlers } from "./handlers.ts";

/** Handlers of a person's operations on tickets. */
export const decisionHandlers: Handlers<typeof decisionOperations, PersonCaller> = {
  inbox: ({ engine, person }, query) => engine.inbox(person, query),
  deliver: async (caller, { ids }) => {
    const { engine, person } = caller;
    for (const id of ids) assertMayRead(caller, id);
    await engine.later(() => engine.deliverShown(ids, person));
    return { tickets: ids.map((id) => engine.getTicket(id)) };
  },
  decideGroup: async (caller, { ids, decision, comment }) => {
    const { engine, person: by, assurance } = caller;
    const unique = [...new Set(ids)];
    for (const id of unique) assertMayRead(caller, id);
    const keys = new Set(unique.map((id) => groupKey(engine.getTicket(id))));
    if (keys.size !== 1 || keys.has(null))
      throw new HapError(
        "wrong_state",
        "These tickets are not alike: a group has one agent, kind, project, environment and effects, and nothing critical. Decide them by themselves.",
        { field: "ids" },
      );
    const decide = (id: string) =>
      decision === "approve" ? engine.approve(id, comment, { by, assurance }) : engine.reject(id, comment, { by, assurance });
    return {
      results: await Promise.all(
        unique.map((id) =>
          outcomeOf(
            id,
            engine.later(() => decide(id)),
          ),
        ),
      ),
    };
  },
  show: async (caller, { id }) => {
    const { engine, person } = caller;
    assertMayRead(caller, id);
    const ticket = engine.getTicket(id);
    if (ticket.state !== "PENDING" || ticket.to !== person) return ticket;
    try {
      await engine.later(() => engine.deliverShown([id], person));
    } catch (error) {
      // On a full disk the ticket is shown all the same, undelivered: its lease has not started.
      if (isHapError(error) && error.code === "store_full") return ticket;
      throw error;
    }
    return engine.getTicket(id);
  },
  ack: (caller, { id, note, lapse_seconds: lapseSeconds }) =>
    change(caller, id, (engine, by) => engine.ack(id, note, { by, ...(lapseSeconds === undefined ? {} : { lapseSeconds }) })),
  extend: (caller, { id, seconds }) => change(caller, id, (engine, by) => engine.extend(id, seconds, { by })),
  snooze: (caller, { id, seconds }) => change(caller, id, (engine, by) => engine.snooze(id, seconds, { by })),
  reassign: (caller, { id, to }) => change(caller, id, (engine, by) => engine.reassign(id, to, { by })),
  submitIntent: (caller, { id, ...input }) => change(caller, id, (engine) => decide(engine, caller, id, input)),
  hold: (caller, { id, ...input }) => {
    const { engine, person: by, assurance } = caller;
    assertMayRead(caller, id);
    return engine.later(() => engine.holdDecision(id, { ...input, by, assurance }));
  },
  undo: (caller, { id }) => change(caller, id, (engine, by) => engine.undoDecision(id, by)),
  issueChallenge: (caller, { id, ...input }) => {
    assertMayRead(caller, id);
    return caller.engine.issueChallenge(id, { ...input, by: caller.person });
  },
  issuePhrase: (caller, { id, decision = "approve" }) => {
    assertMayRead(caller, id);
    return caller.engine.issuePhrase(id, { decision, by: caller.person });
  },
  history: (caller, { id }) => {
    assertMayRead(caller, id);
    return { events: caller.engine.history(id) };
  },
  resolveId: (caller, { text }) => {
    const found = caller.engine.resolveId(text, caller.person);
    assertMayRead(caller, found.id);
    return found;
  },
  needed: (caller, { id }) => {
    assertMayRead(caller, id);
    return caller.engine.neededFor(id, caller.person);
  },
  erase: (caller, { id, ...rest }) => {
    assertMayRead(caller, id);
    const pending = caller.engine.erasurePending();
    const erased = caller.engine.erase({ ticket: id, ...rest, by: caller.person });
    return pending === undefined ? erased : { ...erased, pending };
  },
};

/** One ticket that was decided first by somebody else, or that needs a signature, does not stop the others. */
async function outcomeOf(id: string, decided: Promise<Ticket>): Promise<GroupResult> {
  try {
    return { id, ticket: await decided, code: null, message: null };
  } catch (error) {
    if (!isHapError(error)) throw error;
    return { id, ticket: null, code: error.code, message: error.message };
  }
}

async function change(caller: PersonCaller, id: string, work: (engine: HapEngine, by: string) => Ticket): Promise<Ticket> {
  const { engine, person } = caller;
  assertMayRead(caller, id);
  return engine.later(() => work(engine, person));
}

/** A body that fails as a signed form is refused as one; it is never read as plain words. */
function decide(engine: HapEngine, { person, assurance }: PersonCaller, id: string, input: object): Ticket {
  if (carriesSignedForm(input)) {
    const { phrase: typed, ...intent } = input as Record<string, unknown>;
    const phrase = parseWith(shapes.phrase(), typed, "phrase");
    return engine.submitIntent(intent, { phrase, assurance, sent: { ticketId: id, person } });
  }
  const { decision, comment, answer, edits, phrase } = parseWith(shapes.plainIntent(), input, "The decision");
  const by = { by: person, assurance };
  switch (decision) {
    case "approve":
      return engine.approve(id, comment, { phrase, edits, ...by });
    case "reject":
      return engine.reject(id, comment, by);
    case "request_changes":
      return engine.requestChanges(id, comment, by);
    case "answer":
      return engine.answer(id, answer, { phrase, edits, comment, ...by });
  }
}
