// AskUserQuestion: what the model asks becomes a question ticket, and the person's answer goes back as the tool's own input.
import type { AskInput } from "@hap/sdk/agent";
import type { Answer } from "../answer.ts";
import { type Asking, passGate } from "./ask-person.ts";
import { gateCall } from "./gate-call.ts";
import { answeredInput, fieldKey, LONGEST_LABEL, type Question, type Questions, readQuestions } from "./question-input.ts";

/** Ask the person what the model asks. */
export async function askQuestions({ event, options, described, now }: Omit<Asking, "judgement">): Promise<Answer> {
  const { input, tool } = described;
  const questions = readQuestions(input);
  const call = gateCall(described, event, options, (ticket) => ({
    ...ticket,
    kind: "question",
    summary: questions[0].question,
    details: { tool, cwd: event.cwd },
    ask: toAsk(questions),
  }));
  const { gated } = await passGate({ ...call, said: null }, options, { now });
  if (!gated.open || gated.answer === null) return { decision: "deny", reason: gated.words };
  return { decision: "allow", reason: gated.words, updatedInput: answeredInput(input, gated.answer) };
}

/** One question is a choice with room for other words; several are a form. */
function toAsk(questions: Questions): NonNullable<AskInput["ask"]> {
  const [only] = questions;
  if (questions.length === 1) {
    const options = only.options.map(({ label, description }) => ({
      label,
      ...(description === undefined ? {} : { description }),
    }));
    return { type: "choice", prompt: only.question, options, allow_multiple: only.several, allow_other: true };
  }
  return {
    type: "form",
    prompt: questions.map(describe).join("\n\n"),
    fields: questions.map(({ question, options, several, header }, at) => ({
      key: fieldKey(at),
      label: question.length <= LONGEST_LABEL ? question : (header ?? `Question ${at + 1}`),
      options: options.map(({ label }) => label),
      allow_multiple: several,
    })),
  };
}

function describe({ question, options }: Question, at: number): string {
  const lines = options.map(({ label, description }) => `   ${label}${description === undefined ? "" : `: ${description}`}`);
  return [`${at + 1}. ${question}`, ...lines].join("\n");
}
