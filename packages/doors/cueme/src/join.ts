// cueme join: a new agent, with its folder, its terminal and its runtime (D26).
import { basename } from "node:path";
import { type AgentCard, parseAgentRuntime, showInvisible } from "@hap/protocol";
import { connect } from "./connect.ts";
import type { CommandRun, Context } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { usage } from "./usage.ts";

/** The id that agents use for themselves: the name without `agent:`. */
export function agentId({ agent }: Pick<AgentCard, "agent">): string {
  return agent.replace(/^agent:/, "");
}

/** The lines by which an agent knows itself. */
export function cardLines(card: AgentCard): string {
  const lines = [
    ["agent_id", agentId(card)],
    ["project_dir", card.project_dir ?? ""],
    ["agent_terminal", card.agent_terminal ?? ""],
    ["agent_runtime", card.agent_runtime],
  ];
  return lines.map(([name, value]) => `${name}=${showInvisible(value ?? "").replaceAll("\n", "<U+000A>")}\n`).join("");
}

export const join: CommandRun = async (words, { json }, context) => {
  const [runtime] = words;
  if (runtime === undefined || runtime.trim() === "" || words.length > 1)
    throw usage("Name the runtime once, such as claude_code, codex, cursor, vscode or terminal: cueme join <agent_runtime>.");
  const agent_runtime = parseAgentRuntime(runtime);
  const client = await connect();
  try {
    const card = await client.join({ agent_runtime, project_dir: context.cwd, agent_terminal: terminalOf(context) });
    await context.write(json ? `${JSON.stringify({ agent_id: agentId(card), ...card })}\n` : cardLines(card));
    return EXIT.done;
  } finally {
    await client.close();
  }
};

/** The shell that commands run in, from its own variable or those of its Windows kin. */
function terminalOf({ env }: Context): string {
  if (env.SHELL) return basename(env.SHELL);
  if (env.PSModulePath) return "powershell";
  return env.ComSpec ? basename(env.ComSpec.replaceAll("\\", "/")).replace(/\.exe$/i, "") : "unknown";
}
