// AskUserQuestion: questions with options for the user. A host answers through its permission question, people through tickets.
import { schema, type Tool, ToolError, text } from "../tool.ts";

export type UserQuestion = {
  question: string;
  header?: string;
  options: { label: string; description?: string }[];
  multiSelect?: boolean;
};

/** Asks people; the answer to a question by its words. */
export type AskPeople = (questions: readonly UserQuestion[], signal: AbortSignal) => Promise<Record<string, string>>;

/** The tool. Without `people` the host's permission question brings the answers. */
export function askUserQuestionTool(people: AskPeople | null): Tool {
  return {
    parallel: false,
    spec: {
      name: "AskUserQuestion",
      description:
        "Asks the user one to four questions, each with options to choose from; they may also answer in their own words. Use it when a decision is theirs and you cannot find the answer yourself.",
      input_schema: schema(
        {
          questions: {
            type: "array",
            minItems: 1,
            items: schema(
              {
                question: { type: "string", description: "The question, in full" },
                header: { type: "string", description: "A word or two for it" },
                options: {
                  type: "array",
                  minItems: 1,
                  items: schema({ label: { type: "string" }, description: { type: "string" } }, ["label"]),
                },
                multiSelect: { type: "boolean", description: "Several options may be chosen" },
              },
              ["question", "options"],
            ),
          },
        },
        ["questions"],
      ),
    },
    classify: (input) => ({
      callClass: "own",
      subject: { tool: "AskUserQuestion" },
      summary: `Ask: ${questionsIn(input)
        .map(({ question }) => question)
        .join(" / ")
        .slice(0, 200)}`,
      ...(people === null ? { mustAsk: true } : {}),
    }),
    async run(input, { signal }) {
      const questions = questionsIn(input);
      const given = input.answers as Record<string, unknown> | undefined;
      const answers = given ?? (people === null ? null : await people(questions, signal));
      if (answers === null)
        throw new ToolError("The questions were shown, and no answer came with the permission. Go on without it.");
      return text(
        questions.map(({ question }) => `${question}\n-> ${[answers[question] ?? "(no answer)"].flat().join(", ")}`).join("\n\n"),
      );
    },
  };
}

function questionsIn(input: Record<string, unknown>): UserQuestion[] {
  return Array.isArray(input.questions) ? (input.questions as UserQuestion[]) : [];
}
