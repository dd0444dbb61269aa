// hap answer: a value, a structured answer, or, at a terminal without either, a prompt that fits the question (D15).
import {
  answerWords,
  exampleAnswer,
  HapError,
  isOpen,
  type Json,
  parseAnswer,
  type Question,
  showInvisible,
  type Ticket,
} from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { readJsonSource } from "../input/source.ts";
import { examples } from "../program.ts";
import { oneLine } from "../show/agent-text.ts";
import { recordedLines } from "../show/decided.ts";
import { printDone } from "../show/print-ticket.ts";
import { decideSigned, meansOf } from "../signing/decide-signed.ts";
import { confirmYes, offerKey } from "./approve.ts";

type Options = { answer?: string; comment?: string; sshKey?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Answer a question. VALUE is an option's number, key or label, yes or no, or words, as the question allows. Without a value you are asked, in a terminal. A critical question needs the same confirmation as `hap approve`.",
    )
    .argument("<ID>", "the ticket")
    .argument("[VALUE...]", "the answer")
    .option("--answer <JSON>", "a structured answer: JSON, @FILE or -")
    .option("--comment <TEXT>", "words beside the answer, for the agent")
    .option("--ssh-key <FILE>", "sign the answer with this SSH key; where a signature is needed, else HAP_SSH_KEY")
    .addHelpText(
      "after",
      examples(
        "hap answer 7k2m9x 2",
        "hap answer 7k2m9x yes",
        `hap answer 7k2m9x --answer '{"type":"choice","choices":["a","c"]}'`,
      ),
    )
    .action((id: string, values: string[], options: Options) => answer(context, id, values, options));
}

/** Answer the ticket that somebody typed. */
export async function answer(context: Context, typed: string, values: readonly string[], options: Options): Promise<void> {
  refuseAgent(context, "answer questions that are asked of a person");
  const given = options.answer === undefined ? undefined : readJsonSource(options.answer, "--answer");
  if (given !== undefined && values.length > 0)
    throw new HapError("invalid_input", "Give the answer once: as a value, or with --answer.", { field: "--answer" });
  await asPerson(context, async (client) => {
    const shown = await client.show(await resolveTicket(client, typed));
    const value = await chooseAnswer(context, shown, given, values);
    const { confirm, key } = await meansOf(context, client, shown, options.sshKey);
    const said = [`Your answer: ${words(shown, value)}`];
    const confirmed = confirm ? await confirmYes(context, client, shown, { decision: "answer", key }, said) : {};
    const comment = options.comment === undefined ? {} : { comment: options.comment };
    const ticket =
      key === null
        ? await client.answer(shown.id, value, { ...comment, ...confirmed })
        : await decideSigned(client, shown, { decision: "answer", answer: value, ...comment }, key, confirmed);
    printDone(context, ticket, "Ticket answered.", [
      `Answer: ${words(ticket, value)}`,
      ...recordedLines(ticket),
      ...offerKey(ticket),
    ]);
  });
}

/** What the person said, however they said it. What is no open question is left to the runtime, which says why not. */
async function chooseAnswer(
  context: Context,
  { ask, state, from, intent }: Ticket,
  given: Json | undefined,
  values: readonly string[],
): Promise<unknown> {
  if (ask.type === "approval" || !isOpen(state)) return given ?? values.join(" ");
  if (given !== undefined) return parseAnswer(ask, given);
  if (values.length > 0) return readValues(ask, values);
  if (context.canAsk) {
    const { promptAnswer } = await import("../terminal/prompt-answer.ts");
    context.err.line(`${from} asks: ${oneLine(intent.summary)}`);
    return promptAnswer(ask);
  }
  throw new HapError("invalid_answer", `Say the answer, or pass it with --answer. For this question: ${exampleAnswer(ask)}.`, {
    field: "answer",
    type: ask.type,
  });
}

/** Several words are one text; where several options may be chosen, they may also be one option each. */
function readValues(ask: Question, values: readonly string[]): unknown {
  const joined = values.join(" ");
  if (ask.type !== "choice" || !ask.allow_multiple || values.length === 1) return parseAnswer(ask, joined);
  try {
    return parseAnswer({ ...ask, allow_other: false }, joined);
  } catch {
    return parseAnswer(ask, [...values]);
  }
}

function words({ ask }: Ticket, value: unknown): string {
  return ask.type === "approval" ? "" : showInvisible(answerWords(ask, parseAnswer(ask, value)));
}
