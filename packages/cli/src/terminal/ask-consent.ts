// A plain yes or no before something that somebody should look at first. No is preselected.
import { confirm } from "@clack/prompts";
import { HapError } from "@hap/protocol";
import type { Context } from "../context.ts";
import { Interrupted } from "../failure.ts";

/** Returns when the person agrees; `refused` says what did not happen otherwise. Without a terminal nobody can be asked. */
export async function askConsent({ canAsk }: Context, question: string, refused: string): Promise<void> {
  if (!canAsk) throw new HapError("terminal_needed", `Nobody can be asked here. Run it at a terminal, or with --yes. ${refused}`);
  const agreed = await confirm({ message: question, initialValue: false, output: process.stderr });
  if (agreed !== true) throw new Interrupted(refused);
}
