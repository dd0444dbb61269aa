// Agents and queued words, replayed from the log: into rows when they are rebuilt, and beside them when they are verified (D21).
import type { EventOf, HapEvent } from "@hap/protocol";
import {
  type AgentRecord,
  foldAgent,
  foldArrange,
  foldJoin,
  foldLabel,
  foldQueue,
  foldTake,
  type MessageRecord,
} from "../conversations/records.ts";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { sameValue } from "./alongside.ts";
import { Illegal, must, mustBePerson } from "./illegal.ts";

type ConversationType =
  | "agent.join"
  | "agent.seen"
  | "agent.leave"
  | "agent.label"
  | "message.queue"
  | "message.arrange"
  | "message.take";
/** An event of a conversation that is no ticket's. */
export type ConversationEvent = { [T in ConversationType]: EventOf<T> }[ConversationType];

/** True for events about agents and queued words. */
export function isConversationEvent(event: HapEvent): event is ConversationEvent {
  return (event.type.startsWith("agent.") && event.type !== "agent.own") || event.type.startsWith("message.");
}

/** Put what one event makes into the rows. */
export function replayConversation(tx: StoreWriter, event: ConversationEvent): void {
  switch (event.type) {
    case "agent.join":
      tx.putAgent(foldJoin(event));
      return;
    case "agent.seen":
    case "agent.leave": {
      const record = tx.agentByName(event.agent);
      if (record !== undefined) tx.putAgent(foldAgent(record, event));
      return;
    }
    case "agent.label": {
      const record = tx.agentByName(event.agent);
      if (record !== undefined) tx.putAgent(foldLabel(record, event));
      return;
    }
    case "message.queue":
      tx.putMessage(foldQueue(event));
      return;
    case "message.arrange": {
      const known = (ids: readonly string[]) => ids.map((id) => tx.messageById(id)).filter((record) => record !== undefined);
      const changed = foldArrange({ ordered: known(event.messages), withdrawn: known(event.withdrawn) }, event);
      for (const record of changed) tx.putMessage(record);
      return;
    }
    case "message.take":
      for (const id of event.messages) {
        const record = tx.messageById(id);
        if (record !== undefined) tx.putMessage(foldTake(record, event));
      }
  }
}

/** Replays conversations, judges each event, and compares the end with the rows. Words that were told leave the memory. */
export class ConversationReplay {
  readonly #store: StoreReader;
  readonly #agents = new Map<string, AgentRecord>();
  readonly #waiting = new Map<string, MessageRecord>();
  #queued = 0;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  take(event: ConversationEvent): void {
    const agent = this.#agents.get(event.agent);
    if (event.type === "agent.join") {
      must(agent === undefined, `a second agent ${event.agent}`);
      this.#agents.set(event.agent, foldJoin(event));
      return;
    }
    must(agent !== undefined, `${event.agent} has not joined`);
    switch (event.type) {
      case "agent.leave":
        must(agent.leftAt === null, `${event.agent} had left already`);
        this.#agents.set(event.agent, foldAgent(agent, event));
        return;
      case "agent.seen":
        this.#agents.set(event.agent, foldAgent(agent, event));
        return;
      case "agent.label":
        mustBePerson(event.from);
        this.#agents.set(event.agent, foldLabel(agent, event));
        return;
      case "message.queue":
        mustBePerson(event.from);
        must(!this.#waiting.has(event.message_id), `a second message ${event.message_id}`);
        this.#queued++;
        this.#waiting.set(event.message_id, foldQueue(event));
        return;
      case "message.arrange":
        this.#arrange(event);
        return;
      case "message.take":
        this.#tell(event);
    }
  }

  #arrange(event: EventOf<"message.arrange">): void {
    mustBePerson(event.from);
    const named = [...event.messages, ...event.withdrawn];
    must(new Set(named).size === named.length, "it names a message twice");
    const own = (id: string) => {
      const message = this.#waiting.get(id);
      must(message !== undefined && message.agent === event.agent, `no message ${id} waited for ${event.agent}`);
      must(message.from === event.from, `the message ${id} is somebody else's`);
      return message;
    };
    const changed = foldArrange({ ordered: event.messages.map(own), withdrawn: event.withdrawn.map(own) }, event);
    for (const record of changed) {
      if (record.withdrawnAt === null) this.#waiting.set(record.id, record);
      else {
        this.#compare(record);
        this.#waiting.delete(record.id);
      }
    }
  }

  #tell(event: EventOf<"message.take">): void {
    if (event.taken_by !== null)
      must(this.#store.ticketById(event.taken_by)?.ticket.from === event.agent, "it names a question of another agent, or none");
    for (const id of event.messages) {
      const message = this.#waiting.get(id);
      must(message !== undefined && message.agent === event.agent, `no message ${id} waited for ${event.agent}`);
      this.#compare(foldTake(message, event));
      this.#waiting.delete(id);
    }
  }

  #compare(message: MessageRecord): void {
    if (!sameValue(message, this.#store.messageById(message.id)))
      throw new Illegal(`the stored message ${message.id} is not what the log makes of it`);
  }

  finish(): void {
    for (const message of this.#waiting.values()) this.#compare(message);
    for (const agent of this.#agents.values())
      if (!sameValue(agent, this.#store.agentByName(agent.agent)))
        throw new Illegal(`the stored agent ${agent.agent} is not what the log makes of it`);
    must(this.#store.countAgents() === this.#agents.size, "agents are stored that the log does not know");
    must(this.#store.countMessages() === this.#queued, "messages are stored that the log does not know");
  }
}
