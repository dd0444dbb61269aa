// `yume-cli acp`: an agent for editors that speak the Agent Client Protocol, on standard input and output.
import { Readable, Writable } from "node:stream";
import {
  type AgentContext,
  agent as acpAgent,
  type ClientCapabilities,
  type ContentBlock,
  type McpServer,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Options } from "../argv/options.ts";
import type { RunEvent } from "../frames/run-event.ts";
import { CLAUDE_VERSION } from "../frames/version.ts";
import { EFFORTS, type Effort, type ImagePart, type TextPart } from "../model/types.ts";
import { isPermissionMode, type PermissionMode } from "../permissions/mode.ts";
import { randomUuid } from "../random-uuid.ts";
import type { Agent } from "../run/agent.ts";
import { makeAgent } from "../run/make-agent.ts";
import { settingPlaces } from "../run/setting-places.ts";
import type { World } from "../run/world.ts";
import { newSession, type Session } from "../session/session.ts";
import { SessionStore } from "../session/session-store.ts";
import { readSettings } from "../settings/settings.ts";
import { AcpAsker } from "./acp-asker.ts";
import { type Diffs, replayUpdates, toUpdates } from "./acp-updates.ts";
import { editorBuffers } from "./editor-buffers.ts";

type Open = { agent: Agent; turn: AbortController | null };

const MODES: readonly { id: PermissionMode; name: string }[] = [
  { id: "default", name: "Ask" },
  { id: "acceptEdits", name: "Accept edits" },
  { id: "plan", name: "Plan" },
  { id: "dontAsk", name: "Never ask" },
];

/** Serve until the editor closes its end. */
export async function runAcp(options: Options, world: World): Promise<number> {
  const server = new AcpServer(options, world);
  const connection = acpAgent({ name: "yume-cli" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      server.capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "yume-cli", title: "Yume", version: CLAUDE_VERSION },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
        },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.session.new, ({ params, client }) => server.open(params, client, null))
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const { sessionId: _, ...opened } = await server.open(params, client, params.sessionId, true);
      return opened;
    })
    .onRequest(methods.agent.session.resume, async ({ params, client }) => {
      const { sessionId: _, ...opened } = await server.open(
        { ...params, mcpServers: params.mcpServers ?? [] },
        client,
        params.sessionId,
      );
      return opened;
    })
    .onRequest(methods.agent.session.list, ({ params }) => server.list(params.cwd ?? null))
    .onRequest(methods.agent.session.close, async ({ params }) => {
      await server.closeSession(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.delete, async ({ params }) => {
      await server.closeSession(params.sessionId);
      server.delete(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      server.setOption(params.sessionId, params.configId, String(params.value)),
    )
    .onRequest(methods.agent.session.setMode, ({ params }) => server.setMode(params.sessionId, params.modeId))
    .onRequest(methods.agent.session.prompt, ({ params }) => server.prompt(params.sessionId, params.prompt))
    .onNotification(methods.agent.session.cancel, ({ params }) => server.cancel(params.sessionId))
    .connect(ndJsonStream(Writable.toWeb(world.stdout), Readable.toWeb(world.stdin) as ReadableStream<Uint8Array>));
  await connection.closed;
  await server.close();
  return 0;
}

class AcpServer {
  readonly #options: Options;
  readonly #world: World;
  readonly #store: SessionStore;
  readonly #open = new Map<string, Open>();

  constructor(options: Options, world: World) {
    // Claude's meaning of the modes: the careful one.
    this.#options = { ...options, dialect: "claude", persist: true };
    this.#world = world;
    this.#store = new SessionStore(world.home);
  }

  /** What the editor can do. */
  capabilities: ClientCapabilities = {};

  async open(request: NewSessionRequest, client: AgentContext, id: string | null, replays = false) {
    if (id !== null) await this.closeSession(id);
    const session = id === null ? newSession(randomUuid(), request.cwd, this.#world.now()) : this.#load(id);
    this.#store.lock(session.id);
    const diffs: Diffs = new Map();
    const tell = (update: SessionUpdate) =>
      void client.notify(methods.client.session.update, { sessionId: session.id, update }).catch(() => {});
    let shownMode: PermissionMode | null = null;
    const emit = (event: RunEvent) => {
      for (const update of toUpdates(event, request.cwd, diffs)) tell(update);
      // A plan that was agreed to ends plan mode.
      const mode = this.#open.get(session.id)?.agent.kit.gate.mode ?? null;
      if (shownMode !== null && mode !== null && mode !== shownMode)
        tell({ sessionUpdate: "current_mode_update", currentModeId: mode });
      shownMode = mode;
    };
    const agent = await makeAgent({
      options: {
        ...this.#options,
        mcpConfigs: [...this.#options.mcpConfigs, JSON.stringify({ mcpServers: toConfigs(request.mcpServers) })],
      },
      settings: readSettings(settingPlaces(this.#options, this.#world, request.cwd)),
      session,
      cwd: request.cwd,
      world: this.#world,
      emit,
      save: (changed) => this.#store.save(changed),
      channel: null,
      hostAsker: (gate) => new AcpAsker(client, session.id, gate, diffs),
      wishes: {},
      buffers: editorBuffers(client, session.id, this.capabilities.fs),
    }).catch((error: Error) => {
      throw RequestError.internalError({ details: error.message }, error.message);
    });
    this.#open.set(session.id, { agent, turn: null });
    for (const update of replays ? replayUpdates(session.turns, request.cwd) : [])
      await client.notify(methods.client.session.update, { sessionId: session.id, update });
    return {
      sessionId: session.id,
      modes: { currentModeId: agent.kit.gate.mode, availableModes: [...MODES] },
      configOptions: configOptions(agent),
    };
  }

  /** Sessions that can be opened again, the last one first. */
  list(cwd: string | null) {
    const sessions = this.#store.list().filter((one) => cwd === null || one.cwd === cwd);
    return {
      sessions: sessions.map(({ id, cwd: folder, title, updatedAt }) => ({ sessionId: id, cwd: folder, title, updatedAt })),
    };
  }

  setOption(id: string, option: string, value: string) {
    const { agent } = this.#get(id);
    if (option === "mode") {
      this.setMode(id, value);
      return { configOptions: configOptions(agent) };
    }
    if (option !== "effort" || (value !== "default" && !EFFORTS.some((effort) => effort === value)))
      throw RequestError.invalidParams({ option, value }, `there is no option ${option} with the value ${value}`);
    agent.kit.thinking = { ...agent.kit.thinking, effort: value === "default" ? null : (value as Effort) };
    return { configOptions: configOptions(agent) };
  }

  /** End a session's work and free it; what was said stays. */
  async closeSession(id: string): Promise<void> {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    open.turn?.abort();
    await open.agent.close();
    this.#store.release(id);
  }

  delete(id: string): void {
    this.#store.delete(id);
  }

  async prompt(id: string, blocks: readonly ContentBlock[]) {
    const open = this.#get(id);
    open.turn?.abort();
    const turn = new AbortController();
    open.turn = turn;
    const result = await open.agent.turn({ content: toParts(blocks), uuid: null }, turn.signal);
    if (open.turn === turn) open.turn = null;
    if (turn.signal.aborted) return { stopReason: "cancelled" as const };
    if (result.subtype === "success") return { stopReason: "end_turn" as const };
    if (result.subtype === "error_max_turns") return { stopReason: "max_turn_requests" as const };
    throw RequestError.internalError({ errors: result.errors }, result.errors.join("; "));
  }

  cancel(id: string): void {
    this.#open.get(id)?.turn?.abort();
  }

  setMode(id: string, mode: string): Record<string, never> {
    if (!isPermissionMode(mode) || !MODES.some((known) => known.id === mode))
      throw RequestError.invalidParams({ modeId: mode }, `there is no mode ${mode}`);
    this.#get(id).agent.kit.gate.mode = mode;
    return {};
  }

  async close(): Promise<void> {
    for (const { agent, turn } of this.#open.values()) {
      turn?.abort();
      await agent.close();
    }
    this.#store.release();
  }

  #load(id: string): Session {
    try {
      return this.#store.read(id);
    } catch (error) {
      throw RequestError.resourceNotFound((error as Error).message);
    }
  }

  #get(id: string): Open {
    const open = this.#open.get(id);
    if (open === undefined) throw RequestError.resourceNotFound(`session ${id}`);
    return open;
  }
}

function configOptions({ kit }: Agent): SessionConfigOption[] {
  return [
    {
      type: "select",
      id: "mode",
      name: "Permissions",
      description: "What is asked before it is done",
      category: "mode",
      currentValue: kit.gate.mode,
      options: MODES.map(({ id, name }) => ({ value: id, name })),
    },
    {
      type: "select",
      id: "effort",
      name: "Effort",
      description: "How hard the model thinks",
      category: "thought_level",
      currentValue: kit.thinking.effort ?? "default",
      options: ["default", ...EFFORTS].map((value) => ({ value, name: value })),
    },
  ];
}

function toParts(blocks: readonly ContentBlock[]): (TextPart | ImagePart)[] {
  return blocks.map((block): TextPart | ImagePart => {
    if (block.type === "text") return { type: "text", text: block.text };
    if (block.type === "image") return { type: "image", media_type: block.mimeType, data: block.data };
    if (block.type === "resource_link") return { type: "text", text: `[${block.name}](${block.uri})` };
    if (block.type === "resource" && "text" in block.resource)
      return { type: "text", text: `${block.resource.uri}:\n${block.resource.text}` };
    return { type: "text", text: `[${block.type}]` };
  });
}

function toConfigs(servers: readonly McpServer[]): Record<string, unknown> {
  const pairs = (list: readonly { name: string; value: string }[]) =>
    Object.fromEntries(list.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    servers.map((server) =>
      "command" in server
        ? [server.name, { type: "stdio", command: server.command, args: server.args, env: pairs(server.env) }]
        : [server.name, { type: server.type, url: server.url, headers: pairs(server.headers) }],
    ),
  );
}
