// Questions of the model to people, each a question ticket in the HAP inbox with the options to choose from. An answer in own words is
// taken; an end without an answer is told to the model in its own words.
import { connectAgent } from "@hap/sdk/agent";
import type { AskPeople, UserQuestion } from "../tools/agents/ask-user-question.ts";
import { ToolError } from "../tools/tool.ts";

const LONGEST_LABEL = 200;

/** Ask one question after the other. */
export function askPeople(project: string, session: () => string): AskPeople {
  return async (questions, signal) => {
    const client = await connectAgent({ otherwise: "agent:yume" });
    try {
      const answers: Record<string, string> = {};
      for (const question of questions) {
        const outcome = await client.ask(ticketOf(question, project, session()), { signal });
        if (outcome.status !== "answered") throw new ToolError(`The question was not answered: ${outcome.words}`);
        answers[question.question] = outcome.text;
        await client.heard(outcome.ticket.id).catch(() => {});
      }
      return answers;
    } finally {
      await client.close();
    }
  };
}

function ticketOf({ question, header, options, multiSelect }: UserQuestion, project: string, session: string) {
  return {
    kind: "question",
    summary: (header === undefined ? question : `${header}: ${question}`).replaceAll(/\s+/g, " ").slice(0, LONGEST_LABEL),
    project,
    session,
    ask: {
      type: "choice" as const,
      prompt: question,
      options: options.map(({ label, description }) => ({
        label: label.slice(0, LONGEST_LABEL),
        ...(description === undefined ? {} : { description: description.slice(0, 2_000) }),
      })),
      allow_multiple: multiSelect === true,
      allow_other: true,
    },
  };
}
