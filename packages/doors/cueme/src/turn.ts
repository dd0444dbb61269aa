// One turn of a conversation: ask, wait, print, and only then count it as heard (D26). Killed at any moment, the same call
// attaches to the same question; words that were queued before take the place of an answer in words.
import { type AskInput, isOpen, type Message, parseAskerId, type Ticket } from "@hap/protocol";
import type { AgentClient, Outcome } from "@hap/sdk/agent";
import { answerText, type Heard, turnJson } from "./answer-text.ts";
import { connect } from "./connect.ts";
import type { Context, Options } from "./context.ts";
import { EXIT, signalExit } from "./exit-codes.ts";
import { parseDuration } from "./parse-duration.ts";

/** A question of one agent. */
export type Question = { id: string; kind: "cue" | "pause"; prompt: string; ask: AskInput };

/** The lease; whoever waits renews it, so that it ends only a day after nobody waits any more. */
const TTL_SECONDS = 86_400;
const SIGN_OF_LIFE_MS = 300_000;
const SUMMARY_CHARS = 200;

/** Ask and wait; returns the exit code. */
export async function askAndWait(question: Question, options: Options, context: Context): Promise<number> {
  const client = await connect(parseAskerId(question.id, "agent_id"));
  const alive = setInterval(() => void client.seen(), SIGN_OF_LIFE_MS);
  try {
    return await converse(client, question, options, context);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    await context.warn("cueme: interrupted. The question stays open; the same call attaches to it.\n");
    return signalExit(context.signalled());
  } finally {
    clearInterval(alive);
    await client.close();
  }
}

async function converse(client: AgentClient, question: Question, options: Options, context: Context): Promise<number> {
  const { project_dir } = await client.card();
  const deadline = options.timeout === undefined ? null : performance.now() + parseDuration(options.timeout);
  for (;;) {
    const ticket = await client.cue(ticketInput(question, options, project_dir));
    const queued = await client.queued();
    if (isOpen(ticket.state) && ticket.ask.type === "text" && queued.length > 0) {
      const after = await tellQueued(client, ticket, queued, options, context);
      if (after?.state !== "ANSWERED") return EXIT.done;
    }
    const left = deadline === null ? {} : { timeoutMs: Math.max(0, deadline - performance.now()) };
    const outcome = await client.wait(ticket.id, { ...left, renew: true, signal: context.signal });
    // A lease that ended while the machine slept is no answer: ask again.
    if (endedByTimer(outcome)) continue;
    return tell(client, outcome, options, context);
  }
}

function ticketInput({ kind, prompt, ask }: Question, { to }: Options, project: string | null) {
  const line = prompt.trim().split("\n")[0] ?? "";
  const summary = [...line].length > SUMMARY_CHARS ? `${[...line].slice(0, SUMMARY_CHARS - 1).join("")}…` : line;
  return {
    kind,
    summary,
    ask: ask as AskInput & { type: "text" },
    lease: { ttl_seconds: TTL_SECONDS, on_timeout: "cancel" as const },
    ...(project === null ? {} : { project }),
    ...(to === undefined ? {} : { to }),
  };
}

function endedByTimer({ ticket }: Outcome): boolean {
  return ticket.resolution?.actor.kind === "timer";
}

/** Words from before take the place of an answer. They count as taken once they were written. */
async function tellQueued(
  client: AgentClient,
  ticket: Ticket,
  queued: readonly Message[],
  options: Options,
  context: Context,
): Promise<Ticket | null> {
  const heard: Heard = { outcome: null, ticket, messages: await withPaths(client, queued) };
  await context.write(options.json ? turnJson(heard) : answerText(heard));
  return client.takeQueued(
    queued.map(({ id }) => id),
    ticket.id,
  );
}

async function tell(client: AgentClient, outcome: Outcome, options: Options, context: Context): Promise<number> {
  const over = outcome.status !== "open";
  const queued = over ? await client.queued() : [];
  const heard: Heard = { outcome, ticket: outcome.ticket, messages: await withPaths(client, queued) };
  await context.write(options.json ? turnJson(heard) : answerText(heard));
  if (!over) return EXIT.stillOpen;
  // The very last act: whoever kills us before it is told again, and nothing but the end of the process comes after it.
  await Promise.all([
    client.heard(outcome.ticket.id),
    ...(queued.length === 0 ? [] : [client.takeQueued(queued.map(({ id }) => id))]),
  ]);
  const spoken = outcome.status === "answered" || outcome.ticket.resolution?.actor.kind === "human";
  return spoken ? EXIT.done : EXIT.withoutPerson;
}

async function withPaths(client: AgentClient, messages: readonly Message[]): Promise<Heard["messages"]> {
  return Promise.all(messages.map(async (message) => ({ message, paths: await client.saveAttachments(message) })));
}
