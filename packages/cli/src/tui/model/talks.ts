// Conversations with agents (D26): who there is, what was said, and where a reply goes. Pure.
import { type AgentCard, actionOfKey, type Conversation, isOpen, type Ticket } from "@hap/protocol";
import { timeline } from "../../show/timeline.ts";
import type { Key } from "../terminal/key-reader.ts";
import { makeEditor } from "./editor.ts";
import { type Effect, listRows, type Model, notify, type Step, still, styleOfModel, type Talks } from "./model.ts";

/** The agents as they are now; the cursor stays on the same one. */
export function withCards(talks: Talks | null, cards: readonly AgentCard[]): Talks {
  const current = talks?.cards[talks.at]?.agent;
  const at = Math.max(
    0,
    cards.findIndex(({ agent }) => agent === current),
  );
  return { cards, at, open: talks?.open ?? null };
}

/** The conversation as it is now, at its end, unless somebody reads further up in it. */
export function withConversation(model: Model, conversation: Conversation): Model {
  const { talks } = model;
  if (talks === null) return model;
  const rows = timeline(styleOfModel(model), conversation);
  const end = Math.max(0, rows.length - listRows(model));
  const { open } = talks;
  const same = open !== null && open.conversation.agent.agent === conversation.agent.agent;
  const reading = same && open.top < Math.max(0, open.rows.length - listRows(model));
  return { ...model, talks: { ...talks, open: { conversation, rows, top: reading ? Math.min(open.top, end) : end } } };
}

/** What to read again when something has happened. */
export function readTalks(talks: Talks | null): Effect[] {
  if (talks === null) return [];
  const open: Effect[] = talks.open === null ? [] : [{ type: "conversation", agent: talks.open.conversation.agent.agent }];
  return [{ type: "agents" }, ...open];
}

export function talksKey(model: Model, talks: Talks, key: Key): Step {
  return talks.open === null ? agentsKey(model, talks, key) : conversationKey(model, talks, talks.open, key);
}

function agentsKey(model: Model, talks: Talks, { name }: Key): Step {
  const action = actionOfKey(name) ?? "";
  const steps: Record<string, number> = {
    next: 1,
    previous: -1,
    first: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
  };
  const by = steps[action];
  const at = Math.max(0, Math.min(talks.cards.length - 1, talks.at + (by ?? 0)));
  if (by !== undefined) return still({ ...model, talks: { ...talks, at } });
  if (action === "back" || action === "conversations") return still({ ...model, talks: null });
  const agent = talks.cards[talks.at]?.agent;
  return action === "open" && agent !== undefined ? { model, effects: [{ type: "conversation", agent }] } : still(model);
}

function conversationKey(model: Model, talks: Talks, open: NonNullable<Talks["open"]>, { name }: Key): Step {
  const page = listRows(model) - 1;
  const action = actionOfKey(name) ?? "";
  const steps: Record<string, number> = { next: 1, previous: -1, pageDown: page, pageUp: -page, first: -1e9, last: 1e9 };
  const by = steps[action];
  if (by !== undefined) {
    const top = Math.max(0, Math.min(open.rows.length - listRows(model), open.top + by));
    return still({ ...model, talks: { ...talks, open: { ...open, top } } });
  }
  if (action === "back") return still({ ...model, talks: { ...talks, open: null } });
  const question = openQuestion(model, open.conversation);
  if (action === "open") return question === undefined ? still(model) : openTicket(model, question);
  return action === "approve" ? reply(model, open.conversation, question) : still(model);
}

/** Words answer a question in words that was shown whole; any other question is answered on its own page. */
function reply(model: Model, { agent }: Conversation, question: Ticket | undefined): Step {
  if (question !== undefined && (question.ask.type !== "text" || question.tier === "critical"))
    return openTicket(model, question);
  const answers = question?.id ?? null;
  return still({ ...model, dialog: { type: "reply", agent: agent.agent, answers, editor: makeEditor("", true), problem: null } });
}

function openTicket(model: Model, { id }: Ticket): Step {
  return { model: notify(model, "Opening what it asks."), effects: [{ type: "open", ids: [id], thenApprove: false }] };
}

/** The oldest question that waits for this person. */
function openQuestion({ person }: Model, { tickets }: Conversation): Ticket | undefined {
  return tickets.find((ticket) => isOpen(ticket.state) && ticket.to === person);
}
