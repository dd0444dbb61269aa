// The MCP servers of a run: connected side by side, each with its own fate. One that fails is told and left out; one that dies is
// connected again with the next call. A host may replace them while the run goes on.
import { Client, SseError, type Transport } from "@modelcontextprotocol/client";
import { CLAUDE_VERSION } from "../frames/version.ts";
import type { ControlChannel } from "../host/control-channel.ts";
import type { Tool } from "../tools/tool.ts";
import type { McpServer } from "./mcp-config.ts";
import { mcpTool } from "./mcp-tool.ts";
import { SdkTransport } from "./sdk-transport.ts";

export type McpStatus = { name: string; status: "connected" | "failed" | "disabled"; error?: string };

export type McpWorld = { channel: ControlChannel | null; env: NodeJS.ProcessEnv; cwd: string; log: (words: string) => void };

const CONNECT_TIMEOUT_MS = 30_000;

/** One server, with what it brings. */
type Entry = { server: McpServer; status: McpStatus; client: Client | null; tools: Tool[]; connecting: Promise<void> | null };

export class McpServers {
  readonly #entries = new Map<string, Entry>();
  readonly #world: McpWorld;

  constructor(world: McpWorld) {
    this.#world = world;
  }

  get tools(): readonly Tool[] {
    return [...this.#entries.values()].flatMap(({ tools, status }) => (status.status === "disabled" ? [] : tools));
  }

  get status(): readonly McpStatus[] {
    return [...this.#entries.values()].map(({ status }) => status);
  }

  /** Connect to all; never rejects. */
  async connect(servers: readonly McpServer[]): Promise<void> {
    await Promise.all(
      servers.map((server) => {
        const status: McpStatus = { name: server.name, status: "failed" };
        const entry: Entry = { server, status, client: null, tools: [], connecting: null };
        this.#entries.set(server.name, entry);
        return this.#open(entry);
      }),
    );
  }

  /** Have exactly these servers among those that may change; the others stay. */
  async replace(
    servers: readonly McpServer[],
    mayChange: (name: string) => boolean,
  ): Promise<{ added: string[]; removed: string[]; errors: Record<string, string> }> {
    const wanted = new Set(servers.map(({ name }) => name));
    const removed = [...this.#entries.keys()].filter((name) => mayChange(name) && !wanted.has(name));
    for (const name of removed) await this.#remove(name);
    const changed = servers.filter((server) => JSON.stringify(this.#entries.get(server.name)?.server) !== JSON.stringify(server));
    for (const { name } of changed) await this.#remove(name);
    await this.connect(changed);
    const errors = Object.fromEntries(
      this.status.flatMap(({ name, error }) => (error !== undefined && wanted.has(name) ? [[name, error]] : [])),
    );
    return { added: changed.map(({ name }) => name), removed, errors };
  }

  /** Connect to a server again. */
  async reconnect(name: string): Promise<McpStatus> {
    const entry = this.#get(name);
    await entry.client?.close().catch(() => {});
    entry.client = null;
    await this.#open(entry);
    return entry.status;
  }

  /** Switch a server off, or on again. */
  async toggle(name: string, enabled: boolean): Promise<void> {
    if (enabled) await this.reconnect(name);
    else this.#get(name).status = { name, status: "disabled" };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ client }) => client?.close().catch(() => {})));
  }

  #get(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`There is no MCP server ${name}.`);
    return entry;
  }

  async #remove(name: string): Promise<void> {
    await this.#entries
      .get(name)
      ?.client?.close()
      .catch(() => {});
    this.#entries.delete(name);
  }

  /** The client of a server; one that is gone is connected again first. */
  async #clientOf(entry: Entry): Promise<Client> {
    if (entry.client === null) await this.#open(entry);
    if (entry.client === null) throw new Error(entry.status.error ?? "it cannot be reached");
    return entry.client;
  }

  #open(entry: Entry): Promise<void> {
    entry.connecting ??= this.#tryOpen(entry).finally(() => {
      entry.connecting = null;
    });
    return entry.connecting;
  }

  async #tryOpen(entry: Entry): Promise<void> {
    const { server } = entry;
    const { name } = server;
    const client = new Client({ name: "yume-cli", version: CLAUDE_VERSION });
    try {
      await client.connect(await makeTransport(server, this.#world), { timeout: CONNECT_TIMEOUT_MS });
      // The older transport cannot take up a broken stream, and an answer that was due on it never comes.
      client.onerror = (error) => {
        if (error instanceof SseError) void client.close().catch(() => {});
      };
      client.onclose = () => {
        if (entry.client === client) entry.client = null;
      };
      const { tools } = await client.listTools(undefined, { timeout: CONNECT_TIMEOUT_MS });
      entry.client = client;
      entry.status = { name, status: "connected" };
      entry.tools = tools.map((tool) => mcpTool(name, tool, () => this.#clientOf(entry)));
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.#world.log(`the MCP server ${name} could not be used: ${words}`);
      await client.close().catch(() => {});
      entry.status = { name, status: "failed", error: words };
    }
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
