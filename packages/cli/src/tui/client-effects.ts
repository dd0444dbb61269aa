// What the screen wants done, done through the person's client; what comes of it goes back as a message.
import { HapError, isHapError, isOpen, TICKET_STATES, type Ticket } from "@hap/protocol";
import type { PersonClient, TicketPage } from "@hap/sdk";
import { span } from "../show/time-words.ts";
import type { Effect, Message, Plan } from "./model/model.ts";
import { endedWords } from "./model/outcome-notice.ts";
import type { Tab } from "./model/ticket-list.ts";

/** How long an opened ticket's lease pauses (D8). */
const ACK_SECONDS = 600;
/** How many agents are listed, those last seen first. */
const AGENTS = 200;
const ENDED = TICKET_STATES.filter((state) => !isOpen(state));

/** Those effects that the client carries out. */
export type ClientEffect = Exclude<Effect, { type: "redraw" | "suspend" | "quit" }>;

/** Carry out one effect. What a person can do nothing about is thrown. */
export async function perform(client: PersonClient, effect: ClientEffect, now: () => number): Promise<Message> {
  try {
    return await performed(client, effect, now);
  } catch (error) {
    if (!isHapError(error)) throw error;
    return { type: "failed", text: error.message, generation: effect.type === "load" ? effect.generation : null };
  }
}

async function performed(client: PersonClient, effect: ClientEffect, now: () => number): Promise<Message> {
  switch (effect.type) {
    case "load":
      return { type: "page", generation: effect.generation, page: await readPage(client, effect) };
    case "read":
      return { type: "tickets", tickets: await Promise.all(effect.ids.map((id) => client.getTicket(id))) };
    case "deliver":
      return { type: "tickets", tickets: await Promise.all(effect.ids.map((id) => client.show(id))) };
    case "glance":
      return { type: "tickets", tickets: (await client.inbox({ limit: effect.limit })).tickets };
    case "open": {
      const tickets = await Promise.all(effect.ids.map((id) => openTicket(client, id, now)));
      const history = effect.ids.length === 1 ? await client.history(effect.ids[0] as string) : [];
      return { type: "opened", tickets, history, thenApprove: effect.thenApprove };
    }
    case "reread":
      return { type: "reread", ticket: await client.getTicket(effect.id), history: await client.history(effect.id) };
    case "phrase": {
      const { ticket, plan, problem } = effect;
      const { phrase } = await client.issuePhrase(ticket.id, plan.verb === "answer" ? "answer" : "approve");
      return { type: "phrase", ticket, plan, phrase, problem };
    }
    case "decide":
      return decideAll(client, effect.plan, now);
    case "hold":
      return hold(client, effect, now);
    case "undo":
      return undo(client, effect.id);
    case "apply":
      return apply(client, effect.plan, now);
    case "agents":
      return { type: "agents", cards: await client.agents({ present: true, limit: AGENTS }) };
    case "conversation":
      return { type: "conversation", conversation: await client.conversation(effect.agent) };
    case "say": {
      if (effect.answers === null) await client.queue(effect.agent, { text: effect.text });
      else await client.answer(effect.answers, { type: "text", text: effect.text });
      const text = effect.answers === null ? "Queued for its next question." : "Answered.";
      return { type: "said", conversation: await client.conversation(effect.agent), answers: effect.answers, text };
    }
    case "extend": {
      const ticket = await client.extend(effect.id, effect.seconds);
      return { type: "prolonged", tickets: [ticket], text: `Extended by ${span(effect.seconds)}.` };
    }
    case "snooze": {
      const tickets = await Promise.all(effect.ids.map((id) => client.snooze(id, effect.seconds)));
      return { type: "prolonged", tickets, text: `Snoozed for ${span(effect.seconds)}.` };
    }
  }
}

/** A page of a list. Its tickets count as delivered: this is what the screen shows next (D8). */
export function readPage(
  client: PersonClient,
  { tab, cursor, limit }: { tab: Tab; cursor: string | null; limit: number },
): Promise<TicketPage> {
  const page = { limit, ...(cursor === null ? {} : { cursor }) };
  if (tab === "mine") return client.inbox(page);
  return tab === "all" ? client.list({ ...page, state: "open" }) : client.list({ ...page, to: client.person, state: ENDED });
}

/** Opening one's own ticket acknowledges it for a while; a pause for good, or one that is young, is left as it is. */
async function openTicket(client: PersonClient, id: string, now: () => number): Promise<Ticket> {
  const ticket = await client.show(id);
  if (ticket.to !== client.person || !isOpen(ticket.state)) return ticket;
  const lapse = ticket.lease.ack_lapses_at;
  const young = lapse !== null && new Date(lapse).getTime() - now() > (ACK_SECONDS * 1000) / 2;
  if (ticket.state === "ACKED" && (lapse === null || young)) return ticket;
  try {
    return await client.ack(id, undefined, { lapseSeconds: ACK_SECONDS });
  } catch (error) {
    // Somebody decided in between, or the store is read-only: it can still be read.
    if (isHapError(error)) return client.getTicket(id);
    throw error;
  }
}

/** One after the other; a refusal of one does not keep the others back. */
async function decideAll(client: PersonClient, plan: Plan, now: () => number): Promise<Message & { type: "decided" }> {
  const tickets: Ticket[] = [];
  const refused: { id: string; message: string }[] = [];
  for (const id of plan.ids) {
    try {
      tickets.push(await decide(client, id, plan));
    } catch (error) {
      refused.push(await refusal(client, id, error, now));
    }
  }
  return { type: "decided", plan, tickets, refused };
}

/** Why a decision was not taken, in words; whoever was first is named. */
async function refusal(
  client: PersonClient,
  id: string,
  error: unknown,
  now: () => number,
): Promise<{ id: string; message: string }> {
  if (!(error instanceof HapError)) throw error;
  const first = error.code === "already_decided" || error.code === "deadline_passed";
  return { id, message: first ? `Too late: ${endedWords(await client.getTicket(id), client.person, now())}.` : error.message };
}

/** A yes that is applied after some seconds, by the process that has the store (D44). */
async function hold(
  client: PersonClient,
  { plan, seconds }: ClientEffect & { type: "hold" },
  now: () => number,
): Promise<Message> {
  const [id] = plan.ids as [string];
  const { comment, answer, edits } = plan;
  try {
    await client.hold(id, {
      ...(plan.verb === "answer" ? { decision: "answer", answer } : { decision: "approve" }),
      ...(comment === null ? {} : { comment }),
      ...(edits === null ? {} : { edits }),
      seconds,
    });
    return { type: "held", plan, untilMs: now() + seconds * 1000 };
  } catch (error) {
    return { type: "decided", plan, tickets: [], refused: [await refusal(client, id, error, now)] };
  }
}

async function undo(client: PersonClient, id: string): Promise<Message> {
  try {
    return { type: "undone", ticket: await client.undo(id), tooLate: false };
  } catch (error) {
    if (!isHapError(error) || error.code !== "nothing_to_undo") throw error;
    return { type: "undone", ticket: await client.getTicket(id), tooLate: true };
  }
}

/** Decide now what is held. It may have been applied in this very moment: then there is nothing left to do. */
async function apply(client: PersonClient, plan: Plan, now: () => number): Promise<Message> {
  const done = await decideAll(client, plan, now);
  const { resolution } = await client.getTicket(plan.ids[0] as string);
  return resolution?.actor.id === client.person ? { ...done, refused: [] } : done;
}

function decide(client: PersonClient, id: string, { verb, comment, answer, edits, phrase }: Plan): Promise<Ticket> {
  const words = comment ?? undefined;
  const typed = phrase === null ? {} : { phrase };
  switch (verb) {
    case "approve":
      return client.approve(id, words, { ...typed, ...(edits === null ? {} : { edits }) });
    case "reject":
      return client.reject(id, words);
    case "changes":
      return client.requestChanges(id, words);
    case "answer":
      return client.answer(id, answer, typed);
  }
}
