// cueme recall: the id of an earlier conversation, by words of what was asked, its folder, its runtime or its name.
import { connect } from "./connect.ts";
import type { CommandRun } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { agentId, cardLines } from "./join.ts";
import { usage } from "./usage.ts";

export const recall: CommandRun = async (words, { json }, context) => {
  const hints = words.join(" ").trim();
  if (hints === "") throw usage("Give some words to find the conversation by: cueme recall <hints>.");
  const client = await connect();
  try {
    const found = await client.recall(hints);
    const [best] = found;
    if (json) await context.write(`${JSON.stringify({ agents: found.map((card) => ({ agent_id: agentId(card), ...card })) })}\n`);
    if (best === undefined) {
      await context.warn(
        "cueme: no conversation fits these hints. Try other words, or begin a new one: cueme join <agent_runtime>.\n",
      );
      return EXIT.nothingFits;
    }
    if (!json) await context.write(cardLines(best));
    return EXIT.done;
  } finally {
    await client.close();
  }
};
