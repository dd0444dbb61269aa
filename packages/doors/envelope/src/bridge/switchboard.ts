// Between questions and tickets: each question of a run is one ticket, and its end is told once, in the question's dialect.
// It never picks an option, and no timer answers (D27).
import { createHash, randomUUID } from "node:crypto";
import { canonicalJson, HapError, isHapError, isOpen, type Json, type Ticket } from "@hap/protocol";
import type { AgentClient, Outcome } from "@hap/sdk/agent";
import { type HumanQuestion, readQuestion } from "../read-question.ts";
import type { Found } from "../scanner.ts";
import { strictProblem } from "../strict.ts";
import { type Stamp, toStrict, writeError, writeRefusal, writeResponse, writeStrictRefusal } from "../write-reply.ts";

/** How questions are asked. */
export type Asking = {
  to: string | undefined;
  timeoutSeconds: number | null;
  project: string;
  /** Hold envelopes to the original's schema, and answer with its error codes. */
  strict: boolean;
};

const DAY_SECONDS = 86_400;
const SUMMARY_CHARS = 200;

/** Sends a reply; resolves once it has arrived, and rejects when it cannot. */
export type Reply = (envelope: object) => Promise<void>;

/** What became of something that was found: a reply was sent, it was a repetition, or the switchboard was closed first. */
export type Taken = "replied" | "repeated" | "closed";

export class Switchboard {
  readonly #client: AgentClient;
  readonly #asking: Asking;
  readonly #warn: (text: string) => void;
  /** What each id asked in this process, and its reply: printed again, the question gets the same reply again. */
  readonly #asked = new Map<string, { content: string; reply: Promise<object | null>; replied: boolean }>();
  readonly #stop = new AbortController();

  constructor(client: AgentClient, asking: Asking, warn: (text: string) => void) {
    this.#client = client;
    this.#asking = asking;
    this.#warn = warn;
  }

  /** Handle what was found in a stream, to its end. */
  async take(found: Found, send: Reply): Promise<Taken> {
    const { strict } = this.#asking;
    const reply = async (envelope: object): Promise<Taken> => {
      const isError = (envelope as { intent?: unknown }).intent === "error";
      const code = (envelope as { payload?: { data?: { details?: unknown } } }).payload?.data;
      await send(strict && isError && code?.details === undefined ? toStrict(envelope) : envelope);
      return "replied";
    };
    const problem = strict && found.kind === "question" ? strictProblem(found.value) : null;
    if (problem !== null && found.kind === "question") return reply(writeStrictRefusal(found.value, problem, stamp()));
    if (found.kind === "broken") {
      const message = `The envelope cannot be read: ${found.problem}. Print it as one JSON object.`;
      return reply(writeRefusal(found.id === null ? null : { id: found.id }, message, stamp()));
    }
    let question: HumanQuestion;
    try {
      question = readQuestion(found.value);
    } catch (error) {
      if (!isHapError(error)) throw error;
      return reply(writeRefusal(found.value, error.message, stamp()));
    }
    for (const warning of question.warnings) this.#warn(`question ${question.id}: ${warning}`);
    return this.#ask(question, found.quoted, reply);
  }

  async #ask(question: HumanQuestion, quoted: boolean, reply: (envelope: object) => Promise<Taken>): Promise<Taken> {
    const content = createHash("sha256")
      .update(canonicalJson(question.envelope.payload as Json))
      .digest("hex");
    const before = this.#asked.get(question.id);
    if (before !== undefined) {
      if (before.content !== content) return reply(writeError(question, "duplicate_id", duplicate(question), stamp()));
      // Agents that report in JSON print the same text several times; one reply is enough while the question is open.
      if (quoted && !before.replied) return "repeated";
      const old = await before.reply;
      return old === null ? "closed" : reply({ ...old, ...stamp() });
    }
    const asked = { content, reply: Promise.resolve<object | null>(null), replied: false };
    const answered = this.#answer(question);
    asked.reply = answered.then(({ envelope }) => envelope);
    // Whoever repeats the question sees the failure as well; without a repetition it is told below.
    asked.reply.catch(() => {});
    this.#asked.set(question.id, asked);
    const { envelope, ticketId } = await answered;
    if (envelope === null) return "closed";
    const taken = await reply(envelope);
    asked.replied = true;
    if (ticketId !== null) await this.#client.heard(ticketId);
    return taken;
  }

  /** Ask, and wait for what to reply; null when the switchboard was closed first. */
  async #answer(question: HumanQuestion): Promise<{ envelope: object | null; ticketId: string | null }> {
    let ticket: Ticket;
    try {
      ticket = await this.#open(question);
    } catch (error) {
      if (!isHapError(error)) throw error;
      const conflict = error.code === "id_conflict";
      const [code, words] = conflict ? (["duplicate_id", duplicate(question)] as const) : (["refused", error.message] as const);
      return { envelope: writeError(question, code, words, stamp()), ticketId: null };
    }
    const outcome = await this.#wait(question, ticket);
    return { envelope: outcome === null ? null : this.#tell(question, outcome), ticketId: ticket.id };
  }

  /** True while a question waits for its reply. */
  get waiting(): boolean {
    return [...this.#asked.values()].some(({ replied }) => !replied);
  }

  /** The ticket of a question: found again by run and id, so that a restart asks nothing twice. */
  #open(question: HumanQuestion): Promise<Ticket> {
    const { to, project } = this.#asking;
    const limit = this.#limit(question);
    const line = question.text.trim().split("\n")[0] ?? "";
    const summary = [...line].length > SUMMARY_CHARS ? `${[...line].slice(0, SUMMARY_CHARS - 1).join("")}…` : line;
    const name = createHash("sha256")
      .update(canonicalJson([this.#client.agent, question.id]))
      .digest("hex")
      .slice(0, 40);
    return this.#client.createTicket({
      id: `tk_${name}`,
      kind: "question",
      summary,
      details: {
        asker: question.asker,
        question_id: question.id,
        dialect: question.dialect,
        context: question.envelope.context as Json,
        safety: question.envelope.safety as Json,
      },
      ask: question.ask,
      project,
      lease: { ttl_seconds: limit === null ? DAY_SECONDS : Math.max(1, Math.ceil(limit)), on_timeout: "cancel" },
      ...(to === undefined ? {} : { to }),
    });
  }

  #limit(question: HumanQuestion): number | null {
    return question.timeoutSeconds ?? this.#asking.timeoutSeconds;
  }

  /** Wait for the end; a question that is out of time is withdrawn. Null when the switchboard was closed meanwhile. */
  async #wait(question: HumanQuestion, ticket: Ticket): Promise<Outcome | null> {
    const limit = this.#limit(question);
    const left = limit === null ? {} : { timeoutMs: Math.max(0, Date.parse(ticket.created_at) + limit * 1000 - Date.now()) };
    try {
      const outcome = await this.#client.wait(ticket.id, { ...left, renew: limit === null, signal: this.#stop.signal });
      if (!isOpen(outcome.ticket.state)) return outcome;
      await this.#client
        .cancel(ticket.id, `Nobody answered within ${limit} seconds, and the agent waits no longer.`)
        .catch(ifEnded);
      return await this.#client.wait(ticket.id, { signal: this.#stop.signal });
    } catch (error) {
      if (this.#stop.signal.aborted) return null;
      throw error;
    }
  }

  #tell(question: HumanQuestion, outcome: Outcome): object {
    const person = outcome.ticket.resolution?.actor.id ?? "human";
    switch (outcome.status) {
      case "answered":
        if (outcome.answer !== null) return writeResponse(question, outcome.answer, person, outcome.comment, stamp());
        return writeError(question, "declined", "The answer was erased.", stamp());
      case "rejected":
        return writeError(question, "declined", outcome.comment ?? "The person does not answer this question.", stamp());
      default: {
        const human = outcome.ticket.resolution?.actor.kind === "human";
        const words = outcome.comment ?? "Nobody answered in time.";
        return writeError(question, human ? "declined" : "timeout", words, stamp());
      }
    }
  }

  /** Stop waiting. Questions stay as they are. */
  close(): void {
    this.#stop.abort();
  }
}

/** Somebody ended it in the same moment: then that is what is told. */
function ifEnded(error: unknown): void {
  if (!(error instanceof HapError && error.kind === "conflict")) throw error;
}

function duplicate({ id }: HumanQuestion): string {
  return `Another question of this run has the id ${JSON.stringify(id)} already. Use a new id for a new question.`;
}

function stamp(): Stamp {
  return { id: `msg-${randomUUID()}`, time: new Date().toISOString() };
}
