// cueme cue: ask with an envelope from standard input, and wait.
import { toAsk } from "@hap/sdk/conversation";
import type { CommandRun } from "./context.ts";
import { parseEnvelope } from "./envelope.ts";
import { readText } from "./read-input.ts";
import { askAndWait } from "./turn.ts";
import { usage } from "./usage.ts";

export const cue: CommandRun = async ([id, source, ...rest], options, context) => {
  if (id === undefined || source !== "-" || rest.length > 0)
    throw usage("The question comes on standard input: cueme cue <agent_id> - (the dash is needed).");
  const { prompt, payload } = parseEnvelope(await readText(context.stdin()), ["cueme_prompt", "cueme_payload"]);
  return askAndWait({ id, kind: "cue", prompt, ask: toAsk(prompt, payload) }, options, context);
};
