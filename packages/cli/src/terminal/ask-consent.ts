// A plain yes or no before something that cannot be undone. No is preselected.
import { confirm } from "@clack/prompts";
import { Interrupted } from "../failure.ts";

/** Returns when the person agrees. */
export async function askConsent(question: string): Promise<void> {
  const agreed = await confirm({ message: question, initialValue: false, output: process.stderr });
  if (agreed !== true) throw new Interrupted("Nothing was erased.");
}
