// cueme pause: nothing to ask but whether to go on; waits for as long as it takes.
import { toAsk } from "@hap/sdk/conversation";
import type { CommandRun, Context } from "./context.ts";
import { parseEnvelope } from "./envelope.ts";
import { readText } from "./read-input.ts";
import { askAndWait } from "./turn.ts";
import { usage } from "./usage.ts";

const DEFAULT_PROMPT = "Paused. The agent goes on when you say how.";

export const pause: CommandRun = async ([id, words, ...rest], options, context) => {
  if (id === undefined || rest.length > 0)
    throw usage("Name the agent and, if you like, one prompt in quotes: cueme pause <agent_id> [prompt | -].");
  const prompt = await promptOf(words, context);
  return askAndWait({ id, kind: "pause", prompt, ask: toAsk(prompt, null) }, options, context);
};

async function promptOf(words: string | undefined, context: Context): Promise<string> {
  if (words === "-") return parseEnvelope(await readText(context.stdin()), ["cueme_prompt"]).prompt;
  return words === undefined || words.trim() === "" ? DEFAULT_PROMPT : words;
}
