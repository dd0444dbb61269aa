// One turn of a conversation as a tool's result: the person's words as they are, and how to go on (D26).
import type { AgentClient } from "@hap/sdk/agent";
import { describeTurn, type Turn, turnText } from "@hap/sdk/conversation";
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";

const answered = {
  answer: z.unknown(),
  text: z.string().nullable().describe("The answer as the person said it."),
  relayed: z.boolean(),
  by: z.string().nullable(),
  comment: z.string().nullable(),
};

/** What cueme_cue and cueme_pause return, as structured content. */
export const turnSchema = z.object({
  status: z
    .enum(["answered", "queued", "rejected", "canceled", "expired", "open"])
    .describe("queued: words that the person left for you took the place of an answer. open: nobody has answered yet."),
  agent_id: z.string(),
  ticket_id: z.string(),
  next: z.string().describe("What to do now."),
  ...answered,
  earlier: z.array(z.object({ status: z.string(), ticket_id: z.string(), question: z.string(), ...answered })),
  messages: z.array(
    z.object({
      id: z.string(),
      from: z.string(),
      text: z.string().nullable(),
      queued_at: z.string(),
      attachments: z.array(
        z.object({
          name: z.string(),
          media_type: z.string(),
          size: z.number(),
          sha256: z.string(),
          path: z.string().nullable().describe("Where the file is, if you can read it there."),
        }),
      ),
    }),
  ),
});

/** The images that models read. Larger ones are only named. */
const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const IMAGE_BYTES = 4 * 1024 * 1024;

/** The tool's result: text, images that people sent, and, where the agent cannot read our disk, all other files too. */
export async function turnResult(client: AgentClient, turn: Turn, tool: string, filesInline: boolean): Promise<CallToolResult> {
  const described = describeTurn(turn);
  const next = nextStep(turn, tool, described.agent_id);
  const said = described.status === "open" ? [] : [turnText(turn).trimEnd()];
  return {
    content: [{ type: "text", text: [...said, next].join("\n\n") }, ...(await fileBlocks(client, turn, filesInline))],
    structuredContent: { ...described, next },
  };
}

function nextStep({ outcome, ticket }: Turn, tool: string, agentId: string): string {
  if (outcome?.status === "open")
    return `No answer yet; the question stays open. Call ${tool} again with ${JSON.stringify({ agent_id: agentId, ticket_id: ticket.id })} to go on waiting. Do not go on without an answer.`;
  if (outcome === null || outcome.status === "answered") return "Go on with these words.";
  if (outcome.status === "rejected") return "Go on without an answer to it, as far as that is possible, and cue again.";
  return "Nobody answered. Ask again if it still matters.";
}

type Block = CallToolResult["content"][number];

async function fileBlocks(client: AgentClient, { messages }: Turn, filesInline: boolean): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const { message } of messages) {
    const wanted = message.attachments.map(({ media_type, size }) => {
      const image = IMAGE_TYPES.includes(media_type) && size <= IMAGE_BYTES;
      return image ? ("image" as const) : filesInline ? ("resource" as const) : null;
    });
    if (wanted.every((kind) => kind === null)) continue;
    const files = await client.readAttachments(message);
    for (const [at, kind] of wanted.entries()) {
      const { media_type: mimeType, name } = message.attachments[at] as (typeof message.attachments)[number];
      const data = Buffer.from(files[at]?.data ?? []).toString("base64");
      if (kind === "image") blocks.push({ type: "image", data, mimeType });
      if (kind === "resource") {
        const uri = `hap://messages/${message.id}/${at}/${encodeURIComponent(name)}`;
        blocks.push({ type: "resource", resource: { uri, mimeType, blob: data } });
      }
    }
  }
  return blocks;
}
