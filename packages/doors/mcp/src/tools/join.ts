// cueme_join and cueme_recall: who the model is in a conversation with its person (D26). An id is a label; it proves nothing.
import { type AgentCard, HapError } from "@hap/protocol";
import * as z from "zod";
import { tool } from "./tool.ts";

const agentSchema = z.object({
  agent_id: z.string().describe("Remember it, and give it to cueme_cue and cueme_pause."),
  agent_runtime: z.string(),
  project_dir: z.string().nullable(),
  agent_terminal: z.string().nullable(),
});

function describeAgent({ agent, agent_runtime, project_dir, agent_terminal }: AgentCard): z.infer<typeof agentSchema> {
  return { agent_id: agent.replace(/^agent:/, ""), agent_runtime, project_dir, agent_terminal };
}

/** The same lines as `cueme join` prints. */
function lines(described: z.infer<typeof agentSchema>): string {
  return Object.entries(described)
    .map(([name, value]) => `${name}=${value ?? ""}`)
    .join("\n");
}

export const cuemeJoin = tool({
  name: "cueme_join",
  title: "Begin a conversation",
  description:
    "Begin a conversation with your person: returns an agent_id of your own, to remember for this whole session. Call it once. If you had an agent_id and lost it, call cueme_recall first. Then call cueme_cue before every summary of a phase and before every final reply, and go on with what the person says.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  forPerson: false,
  input: z.object({
    agent_runtime: z
      .string()
      .describe("Where you run, lower case with _: claude_code, codex, cursor, windsurf, vscode, kiro, opencode, terminal."),
    project_dir: z.string().optional().describe("The project's folder. Default: the one that this server was started in."),
    agent_terminal: z.string().optional().describe("The shell that you use, such as zsh. Default: mcp."),
  }),
  output: agentSchema,
  async run({ agent_runtime, project_dir, agent_terminal = "mcp" }, { client, face }) {
    const card = await client.join({ agent_runtime, project_dir: project_dir ?? face.project, agent_terminal });
    const described = describeAgent(card);
    return { content: [{ type: "text", text: lines(described) }], structuredContent: described };
  },
});

export const cuemeRecall = tool({
  name: "cueme_recall",
  title: "Find an earlier conversation",
  description:
    "Find the agent_id of an earlier conversation of yours, by words of what you asked, its project folder or its runtime. Use it when you lost your agent_id; if nothing fits, call cueme_join.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  forPerson: false,
  input: z.object({ hints: z.string().describe("Words of the task, the folder or the runtime.") }),
  output: z.object({ agents: z.array(agentSchema).describe("Best first; empty when nothing fits.") }),
  async run({ hints }, { client }) {
    if (hints.trim() === "")
      throw new HapError("invalid_input", "hints is empty; give some words to find the conversation by.", { field: "hints" });
    const agents = (await client.recall(hints)).map(describeAgent);
    const [best] = agents;
    const text = best === undefined ? "No conversation fits. Try other words, or begin a new one: cueme_join." : lines(best);
    return { content: [{ type: "text", text }], structuredContent: { agents } };
  },
});
