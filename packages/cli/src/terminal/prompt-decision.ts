// A decision and a word with it, asked at the terminal.
import { select, text } from "@clack/prompts";
import { Interrupted } from "../failure.ts";

export type Decision = "approve" | "reject" | "changes";

/** What the person says. Ctrl-C or Esc ends the tour. */
export async function promptDecision(): Promise<{ decision: Decision; comment: string }> {
  const output = process.stderr;
  const decision = await select<Decision>({
    message: "What do you say?",
    options: [
      { value: "approve", label: "Approve" },
      { value: "reject", label: "Reject" },
      { value: "changes", label: "Ask for changes" },
    ],
    output,
  });
  if (typeof decision === "symbol") throw new Interrupted("The tour ended. Nothing of it was kept.");
  const comment = await text({ message: "A word for the agent (Enter for none)", output });
  if (typeof comment === "symbol") throw new Interrupted("The tour ended. Nothing of it was kept.");
  return { decision, comment: comment ?? "" };
}
