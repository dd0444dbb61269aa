// A plain yes or no before something that somebody should look at first. No is preselected.
import { confirm } from "@clack/prompts";
import { Interrupted } from "../failure.ts";

/** Returns when the person agrees; `refused` says what did not happen otherwise. */
export async function askConsent(question: string, refused: string): Promise<void> {
  const agreed = await confirm({ message: question, initialValue: false, output: process.stderr });
  if (agreed !== true) throw new Interrupted(refused);
}
