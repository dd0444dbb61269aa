// Conversations on the engine (D26, D27): agents that join, ask, and hear; people who leave words for them.
import {
  type AgentCard,
  type Conversation,
  type EraseResult,
  HapError,
  isOpen,
  LIMITS,
  type Message,
  makeAgentName,
  OPEN_STATES,
  parseAgentRuntime,
  parseHumanId,
  type QueueChange,
  type Ticket,
} from "@hap/protocol";
import { ContentWriter } from "../log/contents.ts";
import { enlist } from "../people/people.ts";
import { confirmedPolicy } from "../policies/confirmed-policy.ts";
import type { StoreReader } from "../store/store.ts";
import { openTicket } from "../tickets/create-ticket.ts";
import { decideCancel } from "../tickets/decide/cancel.ts";
import { decideHeard } from "../tickets/decide/use.ts";
import { fromIso } from "../tickets/record.ts";
import type { TicketInput, Tickets } from "../tickets/tickets.ts";
import { viewTicket } from "../tickets/view.ts";
import type { Context } from "../transaction/context.ts";
import { Refused } from "../transaction/refused.ts";
import type { Session } from "../transaction/session.ts";
import { type NewAttachment, readAttachment, writeAttachments } from "./attachments.ts";
import { changeQueue } from "./change-queue.ts";
import { eraseAgent, eraseMessage } from "./erase.ts";
import { findCue } from "./find-cue.ts";
import { rank } from "./recall.ts";
import { type AgentRecord, foldAgent, foldJoin, foldLabel, foldQueue, foldTake, isWaiting } from "./records.ts";
import { listenTo, stopListening, unheardAnswers } from "./take-over.ts";
import { viewAgent, viewMessage } from "./view.ts";

/** How an agent introduces itself. */
export type JoinInput = {
  agent_runtime: string;
  project_dir?: string | null | undefined;
  agent_terminal?: string | null | undefined;
  label?: string | null | undefined;
  /** Go on as the last agent with this runtime, folder and label: if it has not left, or in any case. */
  resume?: "unfinished" | "last" | undefined;
};
/** Which agents. */
export type AgentQuery = {
  project?: string | undefined;
  agent_runtime?: string | undefined;
  present?: boolean | undefined;
  limit?: number | undefined;
};
/** What a person leaves for an agent. */
export type NewMessage = { text?: string | undefined; attachments?: readonly NewAttachment[] | undefined };

/** Signs of life closer together than this are one. */
const SEEN_MS = 60_000;
/** How many agents, and how many questions of each, are remembered when one is looked for. */
const RECALL = { agents: 500, questions: 30 };
const DEFAULT_LIMIT = 50;

/** Agents that join, ask and get messages, and the people who write to them. */
export class Conversations {
  readonly #engine: Context;
  readonly #tickets: Tickets;

  constructor(engine: Context, tickets: Tickets) {
    this.#engine = engine;
    this.#tickets = tickets;
  }

  /** A new agent, with a name of its own. */
  joinAgent(input: JoinInput, owner: string | null = null): AgentCard {
    const agentRuntime = parseAgentRuntime(input.agent_runtime);
    return this.#engine.run((session) => {
      const last = input.resume === undefined ? undefined : findLast(session.tx, agentRuntime, input, owner);
      if (last !== undefined && (input.resume === "last" || last.leftAt === null))
        return viewAgent(session.tx, signOfLife(session, last.agent), session.now);
      const contents = new ContentWriter(session.names);
      const project = input.project_dir ?? null;
      const [event] = session.commitApart(
        [
          {
            type: "agent.join",
            agent: newName(session),
            agent_runtime: agentRuntime,
            project: project === null ? null : enlist(session, project),
            terminal: contents.textOrNull("agent_terminal", input.agent_terminal),
            label: contents.textOrNull("label", input.label),
          },
        ],
        contents.made,
      );
      const record = foldJoin(event);
      session.tx.putAgent(record);
      return viewAgent(session.tx, record, session.now);
    });
  }

  /** The agent is there; written at most once a minute, and at once when it had left. */
  seenAgent(agent: string): AgentCard {
    return this.#engine.run((session) => viewAgent(session.tx, signOfLife(session, agent), session.now));
  }

  /** The agent is gone: what it still asked is withdrawn, with the reason. */
  leaveAgent(agent: string, reason: string): AgentCard {
    return this.#engine.run((session) => {
      const record = knownAgent(session.tx, agent);
      for (const found of session.tx.listTickets({ from: agent, states: OPEN_STATES, limit: LIMITS.openTicketsPerAgent })) {
        const ticket = session.applyDue(found);
        if (!isOpen(ticket.state)) continue;
        const contents = new ContentWriter(session.names);
        const cancel = { from: agent, actor: { kind: "agent" as const, id: agent }, trust: session.trust };
        session.commit(ticket, decideCancel(ticket, { ...cancel, reason: contents.textOrNull("reason", reason) }), contents.made);
      }
      if (record.leftAt !== null) return viewAgent(session.tx, record, session.now);
      const [event] = session.commitApart([{ type: "agent.leave", agent }]);
      const left = foldAgent(record, event);
      session.tx.putAgent(left);
      return viewAgent(session.tx, left, session.now);
    });
  }

  getAgent(agent: string): AgentCard {
    return viewAgent(this.#engine.rows, knownAgent(this.#engine.rows, agent), this.#engine.now());
  }

  /** Agents, last seen first. */
  listAgents(query: AgentQuery = {}): AgentCard[] {
    const { project, agent_runtime, present, limit = DEFAULT_LIMIT } = query;
    const handle = project === undefined ? undefined : this.#engine.rows.handleOf(project);
    if (project !== undefined && handle === undefined) return [];
    const filter = {
      ...(handle === undefined ? {} : { project: handle }),
      ...(agent_runtime === undefined ? {} : { agentRuntime: parseAgentRuntime(agent_runtime) }),
      ...(present === undefined ? {} : { present }),
      limit,
    };
    return this.#engine.rows.listAgents(filter).map((record) => viewAgent(this.#engine.rows, record, this.#engine.now()));
  }

  /** Agents that fit hints: words of what they asked, their folder, their runtime, their name. Best first. */
  recallAgents(hints: string): AgentCard[] {
    const remembered = this.listAgents({ limit: RECALL.agents }).map((card) => {
      const asked = this.#engine.rows.conversationTickets(card.agent, Number.MAX_SAFE_INTEGER, RECALL.questions);
      const prompts = asked.map((record) => {
        const { intent, ask } = viewTicket(this.#engine.rows, record, this.#engine.now());
        return { text: `${intent.summary} ${"prompt" in ask ? (ask.prompt ?? "") : ""}`, weight: 1 };
      });
      const about = [card.project_dir, card.label, card.agent_runtime, card.agent_terminal].filter((text) => text !== null);
      return {
        item: card,
        texts: [...prompts, ...about.map((text) => ({ text, weight: 1.2 })), { text: card.agent, weight: 3 }],
      };
    });
    return rank(hints, remembered);
  }

  /** Ask, or find the same question that was asked before and whose answer was not heard (D26). */
  cue(input: TicketInput): Ticket {
    const prepared = this.#tickets.prepare(input);
    return this.#engine.run((session, facts) => {
      const current = prepared.under(confirmedPolicy(session.tx, facts.policyPath));
      if (current.verdict.verdict === "deny") return openTicket(session, facts, current);
      signOfLife(session, current.request.from);
      const found = findCue(session, current.request);
      const ticket = found === null ? openTicket(session, facts, current) : viewTicket(session.tx, found, session.now);
      if (ticket instanceof Refused) return ticket;
      const record = session.ticket(ticket.id);
      if (isOpen(record.state)) listenTo(session, record);
      return ticket;
    });
  }

  /** A process of the agent waits for its ticket, or does so no longer. Counts for 30 seconds; nothing of it is in the log. */
  listen(id: string, agent: string, listening: boolean): Ticket {
    return this.#engine.run((session) => {
      const record = session.ticket(id);
      if (listening && isOpen(record.state)) listenTo(session, record);
      else stopListening(session, { id, from: agent });
      return viewTicket(session.tx, record, session.now);
    });
  }

  /** Questions of an agent that a person answered and whose answer it has not heard, oldest first. */
  unheard(agent: string): Ticket[] {
    const now = this.#engine.now();
    return unheardAnswers(this.#engine.rows, agent, now).map((record) => viewTicket(this.#engine.rows, record, now));
  }

  /** Withdraw, edit or reorder words that `by` left for an agent; returns those that wait then. */
  changeQueue(agent: string, change: QueueChange, by: string): Message[] {
    const person = parseHumanId(by, "by");
    return this.#engine.run((session) => {
      knownAgent(session.tx, agent);
      changeQueue(session, agent, change, enlist(session, person));
      return waitingMessages(session.tx, agent).filter(({ from }) => from === person);
    });
  }

  /** Give an agent a label and put it into a group; null takes either away. */
  labelAgent(agent: string, { name, group }: { name: string | null; group: string | null }, by: string): AgentCard {
    const person = parseHumanId(by, "by");
    return this.#engine.run((session) => {
      const record = knownAgent(session.tx, agent);
      const from = enlist(session, person);
      const contents = new ContentWriter(session.names);
      const texts = { name: contents.textOrNull("name", name), group: contents.textOrNull("group", group) };
      const [event] = session.commitApart([{ type: "agent.label", agent, from, ...texts }], contents.made);
      const labelled = foldLabel(record, event);
      session.tx.putAgent(labelled);
      return viewAgent(session.tx, labelled, session.now);
    });
  }

  /** Leave words, or files, for an agent's next question. */
  queueMessage(agent: string, message: NewMessage, by: string): Message {
    const files = message.attachments ?? [];
    if ((message.text ?? "").trim() === "" && files.length === 0)
      throw new HapError("invalid_input", "There is nothing to queue: give words, or a file.", { field: "text" });
    const person = parseHumanId(by, "by");
    return this.#engine.run((session) => {
      knownAgent(session.tx, agent);
      const waiting = session.tx.countQueued(agent);
      if (waiting >= LIMITS.queuedMessagesPerAgent) throw tooManyQueued(agent, waiting);
      const contents = new ContentWriter(session.names);
      const [event] = session.commitApart(
        [
          {
            type: "message.queue",
            message_id: session.names.id("msg_"),
            agent,
            from: enlist(session, person),
            text: contents.textOrNull("text", message.text),
            attachments: writeAttachments(contents, files),
          },
        ],
        contents.made,
      );
      const record = foldQueue(event);
      session.tx.putMessage(record);
      return viewMessage(session.tx, record);
    });
  }

  /** Words that wait for an agent, in their order. What was erased says nothing and is left out. */
  queuedMessages(agent: string): Message[] {
    return waitingMessages(this.#engine.rows, agent);
  }

  /**
   * The agent has heard queued words. When they were told in place of an answer, the question is over: it is withdrawn,
   * and counts as heard. Returns the question as it is then.
   */
  takeMessages(agent: string, ids: readonly string[], ticketId: string | null): Ticket | null {
    return this.#engine.run((session) => {
      const named = ids.map((id) => session.tx.messageById(id)).filter((record) => record !== undefined);
      const records = named.filter((record) => record.agent === agent && isWaiting(record));
      if (records.length > 0) {
        const messages = records.map(({ id }) => id);
        const [event] = session.commitApart([{ type: "message.take", agent, messages, taken_by: ticketId }]);
        for (const record of records) session.tx.putMessage(foldTake(record, event));
      }
      if (ticketId === null) return null;
      const ticket = session.ticket(ticketId);
      if (ticket.ticket.from !== agent || !isOpen(ticket.state)) return viewTicket(session.tx, ticket, session.now);
      const contents = new ContentWriter(session.names);
      const reason = contents.text("reason", "Words that were waiting for the agent took the place of an answer.");
      const cancel = { from: agent, actor: { kind: "agent" as const, id: agent }, trust: session.trust, reason };
      const ended = session.commit(ticket, decideCancel(ticket, cancel), contents.made);
      return viewTicket(session.tx, session.commit(ended, decideHeard(ended, agent)), session.now);
    });
  }

  /** The bytes of a file that came with a message. */
  attachment(messageId: string, index: number): Uint8Array {
    const record = this.#engine.rows.messageById(messageId);
    if (record !== undefined) return readAttachment(this.#engine.rows, record, index);
    throw new HapError("content_erased", `There is no message ${messageId}.`, { message_id: messageId });
  }

  /** The newest questions of an agent and the words since the first of them, oldest first. */
  conversation(agent: string, limit = DEFAULT_LIMIT): Conversation {
    this.#engine.applyDueLeases();
    const card = this.getAgent(agent);
    const records = this.#engine.rows.conversationTickets(agent, Number.MAX_SAFE_INTEGER, limit).reverse();
    const since = records.length < limit ? 0 : (records[0]?.seq ?? 0);
    return {
      agent: card,
      tickets: records.map((record) => viewTicket(this.#engine.rows, record, this.#engine.now())),
      messages: this.#engine.rows
        .listMessages(agent, since, LIMITS.messagesPerTake)
        .map((record) => viewMessage(this.#engine.rows, record)),
    };
  }

  /** Delete the words and files of a message, by who wrote it, or what an agent said of itself, for good (D19). */
  eraseConversation(what: { message: string } | { agent: string }, by: string, reason?: string): EraseResult["erased"] {
    const person = parseHumanId(by, "by");
    return this.#engine.runThenScrub((session) => {
      const from = enlist(session, person);
      if ("agent" in what) return eraseAgent(session, knownAgent(session.tx, what.agent), { from, reason });
      return eraseMessage(session, what.message, { from, by: person, reason });
    });
  }
}

/** Note that an agent is there: at most once a minute, and at once when it had left. */
function signOfLife(session: Session, agent: string): AgentRecord {
  const record = knownAgent(session.tx, agent);
  if (record.leftAt === null && session.now - fromIso(record.seenAt) < SEEN_MS) return record;
  const [event] = session.commitApart([{ type: "agent.seen", agent }]);
  const seen = foldAgent(record, event);
  session.tx.putAgent(seen);
  return seen;
}

function waitingMessages(store: StoreReader, agent: string): Message[] {
  return store
    .queuedMessages(agent, LIMITS.messagesPerTake)
    .map((record) => viewMessage(store, record))
    .filter(({ text, attachments }) => text !== null || attachments.length > 0);
}

function knownAgent(store: StoreReader, agent: string): AgentRecord {
  const record = store.agentByName(agent);
  if (record !== undefined) return record;
  const name = agent.replace(/^agent:/, "");
  throw new HapError(
    "agent_unknown",
    `No agent called ${name} has joined. Run \`cueme join <agent_runtime>\` for a new id, or \`cueme recall <hints>\` to find an old one.`,
    { agent },
  );
}

/** The newest agent that introduced itself in the same way. */
/** Where agents come with keys, one finds again only those that its own key brought in. */
function findLast(
  store: StoreReader,
  agentRuntime: string,
  { project_dir, label }: JoinInput,
  owner: string | null,
): AgentRecord | undefined {
  const project = project_dir === undefined || project_dir === null ? undefined : store.handleOf(project_dir);
  if (project === undefined) return undefined;
  return store
    .listAgents({ project, agentRuntime, limit: RECALL.agents })
    .filter((record) => owner === null || store.agentOwner(record.agent) === owner)
    .filter((record) => viewAgent(store, record, 0).label === (label ?? null))
    .reduce<AgentRecord | undefined>((newest, record) => (record.seq > (newest?.seq ?? 0) ? record : newest), undefined);
}

function newName(session: Session): string {
  for (;;) {
    const name = `agent:${makeAgentName(session.names.salt())}`;
    if (session.tx.agentByName(name) === undefined) return name;
  }
}

function tooManyQueued(agent: string, waiting: number): HapError {
  return new HapError(
    "quota_exceeded",
    `${waiting} messages wait for ${agent} already, which is the most. They are told at its next question.`,
    { agent, limit: LIMITS.queuedMessagesPerAgent },
  );
}
