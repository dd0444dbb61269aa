// One tool of an MCP server, under the name that Claude's clients know: `mcp__server__tool`.
import type { Client, Tool as McpDescription } from "@modelcontextprotocol/client";
import type { ImagePart, TextPart } from "../model/types.ts";
import { type Tool, ToolError } from "../tools/tool.ts";

const CALL_TIMEOUT_MS = 10 * 60_000;

/** Names of tools are narrow at most providers. */
function clean(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}

/** A tool that calls the server. */
export function mcpTool(server: string, description: McpDescription, connect: () => Promise<Client>): Tool {
  const name = `mcp__${clean(server)}__${clean(description.name)}`.slice(0, 128);
  return {
    // A server's own word that it changes nothing is not proof of it.
    parallel: false,
    spec: {
      name,
      description: (description.description ?? "").slice(0, 4_000),
      input_schema: description.inputSchema as Record<string, unknown>,
    },
    classify: () => ({ callClass: "mcp", subject: { tool: name }, summary: `${description.name} of the MCP server ${server}` }),
    async run(input, { signal }) {
      const call = { name: description.name, arguments: input };
      const answer = await callOn(connect, call, signal).catch((error: Error) => {
        throw new ToolError(`The MCP server ${server} gave no answer: ${error.message}. Do without it, or try again later.`);
      });
      const parts = (Array.isArray(answer.content) ? answer.content : []).map(toPart);
      if (parts.length === 0 && answer.structuredContent !== undefined)
        parts.push({ type: "text", text: JSON.stringify(answer.structuredContent) });
      return { content: parts.length === 0 ? [{ type: "text", text: "(no output)" }] : parts, is_error: answer.isError === true };
    },
  };
}

/** A call is made once: a server that dies while it works may have done what was asked. */
async function callOn(
  connect: () => Promise<Client>,
  call: { name: string; arguments: Record<string, unknown> },
  signal: AbortSignal,
) {
  const client = await connect();
  return client.callTool(call, { signal, timeout: CALL_TIMEOUT_MS });
}

function toPart(block: { type: string } & Record<string, unknown>): TextPart | ImagePart {
  if (block.type === "text") return { type: "text", text: String(block.text) };
  if (block.type === "image") return { type: "image", media_type: String(block.mimeType), data: String(block.data) };
  if (block.type === "resource") {
    const resource = block.resource as { uri?: string; text?: string };
    return { type: "text", text: resource.text ?? `[resource ${resource.uri}]` };
  }
  return { type: "text", text: `[${block.type} ${String(block.uri ?? "")}]` };
}
