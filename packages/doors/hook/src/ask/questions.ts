// AskUserQuestion: what the model asks becomes a question ticket, and the person's answer goes back as the tool's own input.
import type { AskInput } from "@hap/sdk/agent";
import type { Answer } from "../answer.ts";
import { type Asking, waitForPerson } from "./ask-person.ts";
import { attach } from "./attach.ts";
import { identify } from "./call-identity.ts";
import { fieldKey, LONGEST_LABEL, type Question, type Questions, readQuestions } from "./question-input.ts";
import { ticketInput, title } from "./ticket-input.ts";

/** Ask the person what the model asks. */
export function askQuestions(asking: Omit<Asking, "judgement">): Promise<Answer> {
  const { event, options, described } = asking;
  const questions = readQuestions(described.input);
  const input: AskInput = {
    ...ticketInput(described, event, options, {}),
    kind: "question",
    summary: title(questions[0].question),
    details: { tool: described.tool, cwd: event.cwd },
    ask: toAsk(questions),
  };
  return waitForPerson(asking, async (client) => {
    const { hash: identity } = identify(described, event.cwd, client.agent);
    const { ticket } = await attach(client, identity, input, { now: asking.now(), timerYes: false });
    return { ticket, identity, timerYes: false };
  });
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
