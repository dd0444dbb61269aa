// `cue` and `pause`: take a turn, print it, and only then count it as heard (D26). Killed at any moment, the same call attaches to
// the same question.
import { type AskInput, parseAskerId } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk/agent";
import { type Turn, takeTurn, turnJson, turnText } from "@hap/sdk/conversation";
import { connect } from "./connect.ts";
import type { Context, Options } from "./context.ts";
import { EXIT, signalExit } from "./exit-codes.ts";
import { parseDuration } from "./parse-duration.ts";

/** A question of one agent. */
export type Question = { id: string; kind: "cue" | "pause"; prompt: string; ask: AskInput };

const SIGN_OF_LIFE_MS = 300_000;

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
  const deadline = options.timeout === undefined ? null : performance.now() + parseDuration(options.timeout);
  for (;;) {
    const left = deadline === null ? {} : { timeoutMs: Math.max(0, deadline - performance.now()) };
    const turn = await takeTurn(client, { ...question, to: options.to }, { ...left, signal: context.signal });
    await context.write(options.json ? turnJson(turn) : turnText(turn));
    // The last act before the process exits: a kill before it means that the same words are told again.
    if (!(await turn.acknowledge())) return exitCode(turn);
  }
}

function exitCode({ outcome }: Turn): number {
  if (outcome === null || outcome.status === "answered") return EXIT.done;
  if (outcome.status === "open") return EXIT.stillOpen;
  return outcome.ticket.resolution?.actor.kind === "human" ? EXIT.done : EXIT.withoutPerson;
}
