// The MCP servers of a run: connected side by side, each with its own fate. One that fails is told and left out.
import { Client, SseError, type Transport } from "@modelcontextprotocol/client";
import { CLAUDE_VERSION } from "../frames/version.ts";
import type { ControlChannel } from "../host/control-channel.ts";
import type { Tool } from "../tools/tool.ts";
import type { McpServer } from "./mcp-config.ts";
import { mcpTool } from "./mcp-tool.ts";
import { SdkTransport } from "./sdk-transport.ts";

export type McpStatus = { name: string; status: "connected" | "failed"; error?: string };

export type McpWorld = { channel: ControlChannel | null; env: NodeJS.ProcessEnv; cwd: string; log: (words: string) => void };

const CONNECT_TIMEOUT_MS = 30_000;

export class McpServers {
  readonly #clients: Client[] = [];
  readonly #tools: Tool[] = [];
  readonly #status: McpStatus[] = [];

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  get status(): readonly McpStatus[] {
    return this.#status;
  }

  /** Connect to all; never rejects. */
  async connect(servers: readonly McpServer[], world: McpWorld): Promise<void> {
    const connected = await Promise.all(servers.map((server) => connectOne(server, world)));
    for (const { status, client, tools } of connected) {
      this.#status.push(status);
      if (client !== null) this.#clients.push(client);
      this.#tools.push(...tools);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close().catch(() => {})));
  }
}

async function connectOne(
  server: McpServer,
  world: McpWorld,
): Promise<{ status: McpStatus; client: Client | null; tools: Tool[] }> {
  const { name } = server;
  const client = new Client({ name: "yume-cli", version: CLAUDE_VERSION });
  try {
    await client.connect(await makeTransport(server, world), { timeout: CONNECT_TIMEOUT_MS });
    // The older transport cannot take up a broken stream, and an answer that was due on it never comes.
    client.onerror = (error) => {
      if (error instanceof SseError) void client.close().catch(() => {});
    };
    const { tools } = await client.listTools(undefined, { timeout: CONNECT_TIMEOUT_MS });
    return { status: { name, status: "connected" }, client, tools: tools.map((tool) => mcpTool(name, tool, client)) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    world.log(`the MCP server ${name} could not be used: ${words}`);
    await client.close().catch(() => {});
    return { status: { name, status: "failed", error: words }, client: null, tools: [] };
  }
}

async function makeTransport(server: McpServer, { channel, env, cwd }: McpWorld): Promise<Transport> {
  if (server.kind === "sdk") {
    if (channel === null) throw new Error("its host is not there");
    return new SdkTransport(channel, server.name);
  }
  if (server.kind === "stdio") {
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    const inherited = Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return new StdioClientTransport({
      command: server.command,
      args: server.args,
      env: { ...inherited, ...server.env },
      cwd,
      stderr: "ignore",
    });
  }
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const options = { requestInit: { headers: server.headers } };
  return server.kind === "http"
    ? new StreamableHTTPClientTransport(new URL(server.url), options)
    : new SSEClientTransport(new URL(server.url), options);
}
