// One turn of a conversation (D26): ask, wait, and collect what the agent has to be told. Nothing counts as heard until the caller
// acknowledges it, so a crash before that tells it again.
import { type AskInput as Ask, isOpen, type Message, type Ticket } from "@hap/protocol";
import type { AgentClient } from "../agent-client.ts";
import { type Outcome, readOutcome } from "../outcome.ts";

/** A question of an agent that joined. */
export type TurnInput = { kind: "cue" | "pause"; prompt: string; ask: Ask; to?: string | undefined };

export type TurnOptions = {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Write the files of queued words to disk, where the agent reads them. Default true; else their paths are empty. */
  saveFiles?: boolean | undefined;
};

/** What an agent is told at the end of a turn. */
export type Turn = {
  ticket: Ticket;
  /** How the question ended, `open` when time is over; null when waiting words took the place of an answer. */
  outcome: Outcome | null;
  /** Answers to earlier questions that were given while nothing listened. */
  earlier: Outcome[];
  /** Words that people queued, with the paths of their files. */
  messages: { message: Message; paths: string[] }[];
  /** All of it was told. Returns true if an answer arrived meanwhile: take another turn with the same question. */
  acknowledge: () => Promise<boolean>;
};

/** The lease. A waiting process renews it, so it ends only a day after the last one stopped waiting. */
const TTL_SECONDS = 86_400;
/** How often a waiting process says that it waits; three of these fit into the time that one counts for. */
const LISTEN_MS = 10_000;
const SUMMARY_CHARS = 200;

/**
 * Ask, or attach to the same question (by its words, or by its ticket's id), and wait until there is something to tell or the time
 * is over. By its id, an answer that was heard before is told again.
 */
export async function takeTurn(
  client: AgentClient,
  input: TurnInput | { ticketId: string },
  options: TurnOptions = {},
): Promise<Turn> {
  const { project_dir } = await client.card();
  const end = options.timeoutMs === undefined ? null : performance.now() + options.timeoutMs;
  const save = options.saveFiles ?? true;
  for (;;) {
    const ticket = await ("ticketId" in input ? attach(client, input.ticketId) : client.cue(ticketInput(input, project_dir)));
    const waiting = await readWaiting(client, ticket, save);
    const mayReplace = isOpen(ticket.state) && ticket.ask.type === "text";
    if (mayReplace && waiting.messages.length + waiting.earlier.length > 0)
      return { ticket, outcome: null, ...waiting, acknowledge: () => acknowledge(client, ticket, null, waiting) };
    const left = end === null ? {} : { timeoutMs: Math.max(0, end - performance.now()) };
    const outcome = await listening(client, ticket, () =>
      client.wait(ticket.id, { ...left, renew: true, ...(options.signal === undefined ? {} : { signal: options.signal }) }),
    );
    // A lease that ended while the machine slept is not an answer: ask again.
    if (outcome.ticket.resolution?.actor.kind === "timer" && !("ticketId" in input)) continue;
    if (outcome.status === "open") return { ticket, outcome, earlier: [], messages: [], acknowledge: async () => false };
    const beside = await readWaiting(client, ticket, save);
    return { ticket: outcome.ticket, outcome, ...beside, acknowledge: () => acknowledge(client, ticket, outcome, beside) };
  }
}

/** The question with this id; it is listened to from now on, if it is open. */
async function attach(client: AgentClient, id: string): Promise<Ticket> {
  const ticket = await client.getTicket(id);
  return isOpen(ticket.state) ? client.listen(id, true) : ticket;
}

type Waiting = Pick<Turn, "earlier" | "messages">;

async function readWaiting(client: AgentClient, ticket: Ticket, save: boolean): Promise<Waiting> {
  const [queued, unheard] = await Promise.all([client.queued(), client.unheard()]);
  return {
    earlier: unheard.filter(({ id }) => id !== ticket.id).map((one) => readOutcome(one)),
    messages: await Promise.all(
      queued.map(async (message) => ({ message, paths: save ? await client.saveAttachments(message) : [] })),
    ),
  };
}

/** Say every few seconds that this process waits. Failing to say so must not end the wait: the next time may work. */
async function listening(client: AgentClient, ticket: Ticket, wait: () => Promise<Outcome>): Promise<Outcome> {
  if (!isOpen(ticket.state)) return wait();
  const say = (on: boolean) => client.listen(ticket.id, on).catch(() => {});
  const timer = setInterval(() => void say(true), LISTEN_MS);
  let ended = false;
  try {
    const outcome = await wait();
    ended = outcome.status !== "open";
    return outcome;
  } finally {
    clearInterval(timer);
    if (!ended) await say(false);
  }
}

async function acknowledge(
  client: AgentClient,
  ticket: Ticket,
  outcome: Outcome | null,
  { earlier, messages }: Waiting,
): Promise<boolean> {
  const ids = messages.map(({ message }) => message.id);
  const heard = [...earlier.map((one) => one.ticket.id), ...(outcome === null ? [] : [ticket.id])];
  const [after] = await Promise.all([
    outcome === null ? client.takeQueued(ids, ticket.id) : ids.length === 0 ? null : client.takeQueued(ids),
    ...heard.map((id) => client.heard(id)),
  ]);
  return outcome === null && after?.state === "ANSWERED";
}

function ticketInput({ kind, prompt, ask, to }: TurnInput, project: string | null) {
  const line = prompt.trim().split("\n")[0] ?? "";
  const summary = [...line].length > SUMMARY_CHARS ? `${[...line].slice(0, SUMMARY_CHARS - 1).join("")}…` : line;
  return {
    kind,
    summary,
    ask: ask as Ask & { type: "text" },
    lease: { ttl_seconds: TTL_SECONDS, on_timeout: "cancel" as const },
    ...(project === null ? {} : { project }),
    ...(to === undefined ? {} : { to }),
  };
}
