// Puts an agent together from options, settings and what the host said at the start.
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Options } from "../argv/options.ts";
import type { Emit } from "../frames/run-event.ts";
import { Hooks } from "../hooks/hooks.ts";
import type { ControlChannel } from "../host/control-channel.ts";
import type { Kit, Toolbox } from "../loop/kit.ts";
import { Ledger, NO_USAGE } from "../loop/ledger.ts";
import { makeValidate } from "../loop/structured-output.ts";
import { systemPrompt } from "../loop/system-prompt.ts";
import { type McpServer, readMcpConfigs, readServers } from "../mcp/mcp-config.ts";
import type { McpWorld } from "../mcp/mcp-servers.ts";
import type { Asker } from "../permissions/gate.ts";
import { Gate } from "../permissions/gate.ts";
import { protectedPaths } from "../permissions/protected-paths.ts";
import { parseRules } from "../permissions/rules.ts";
import { ToolAsker } from "../permissions/tool-asker.ts";
import { Workspace } from "../permissions/workspace.ts";
import { makeRedact } from "../redact.ts";
import { transcriptPath } from "../session/claude-transcript.ts";
import type { Session } from "../session/session.ts";
import { findAgentFiles } from "../settings/agent-files.ts";
import { readInstructions } from "../settings/instructions.ts";
import { saveUpdate } from "../settings/save-update.ts";
import { claudeFolder } from "../settings/setting-sources.ts";
import type { Settings } from "../settings/settings.ts";
import { findCommands } from "../settings/slash-commands.ts";
import { type AskPeople, askUserQuestionTool } from "../tools/agents/ask-user-question.ts";
import { exitPlanModeTool } from "../tools/agents/exit-plan-mode.ts";
import { chooseSandbox } from "../tools/bash/choose-sandbox.ts";
import { Shells } from "../tools/bash/shells.ts";
import { FileMemory } from "../tools/files/file-memory.ts";
import type { LspWorld } from "../tools/lsp/lsp.ts";
import type { EditorBuffers, Tool } from "../tools/tool.ts";
import { YumeError } from "../yume-error.ts";
import { Agent } from "./agent.ts";
import { chooseModel, chooseProvider } from "./choose-model.ts";
import { claudePlaces, wantsSource } from "./claude-places.ts";
import { findKey } from "./find-key.ts";
import { type MadeToolbox, makeToolbox } from "./make-toolbox.ts";
import { mcpSources } from "./mcp-sources.ts";
import { settingPlaces } from "./setting-places.ts";
import { shellEnvironment } from "./shell-environment.ts";
import { whyHomeUnusable } from "./usable-home.ts";
import type { World } from "./world.ts";

/** What a host said in `initialize`. */
export type HostWishes = {
  hooks?: unknown;
  sdkMcpServers?: string[];
  systemPrompt?: string | null;
  appendSystemPrompt?: string | null;
  agents?: Record<string, unknown>;
  jsonSchema?: Record<string, unknown> | null;
};

export type AgentSetup = {
  options: Options;
  settings: Settings;
  session: Session;
  cwd: string;
  world: World;
  emit: Emit;
  save: (session: Session) => void;
  channel: ControlChannel | null;
  hostAsker: (gate: () => Gate) => Asker | null;
  wishes: HostWishes;
  /** The files of an editor. */
  buffers?: EditorBuffers | undefined;
};

const NO_TOOLS: Toolbox = new Map();

/** Make the agent. A provider that cannot be used is an error of its own. */
export async function makeAgent(setup: AgentSetup): Promise<Agent> {
  const { options, settings, session, world, wishes } = setup;
  const env = {
    ...world.env,
    ...settings.env,
    ...(options.retrySeconds === null ? {} : { YUME_RETRY_SECONDS: String(options.retrySeconds) }),
  };
  const redact = makeRedact(env);
  const log = (words: string) => world.stderr.write(`yume-cli: ${redact(words)}\n`);
  for (const note of settings.notes) log(note);
  const workspace = new Workspace(setup.cwd, [...options.addDirs, ...settings.additionalDirectories], world.home);
  const outputs = join(whyHomeUnusable(world.home) === null ? world.home : tmpdir(), ".yume", "outputs", session.id);
  const providerName = chooseProvider({ provider: options.provider ?? settings.provider }, env);
  const providerSetting = settings.providers[providerName];
  const model = chooseModel(options.model ?? session.model ?? settings.model, providerName, env);
  const provider = await world.createProvider({
    provider: providerName,
    ...(model === undefined ? {} : { model }),
    ...given("apiBase", options.apiBase ?? providerSetting?.apiBase),
    ...given("wire", options.wire ?? providerSetting?.wire),
    env: { ...env, ...(await findKey(providerName, settings, env, workspace.cwd, world.home)) },
    cwd: workspace.cwd,
  });
  const modelName = model ?? provider.default_model;
  const costOf = await world.loadPrices(settings.prices);
  if (options.maxBudgetUsd !== null && costOf(modelName, NO_USAGE) === null)
    throw new YumeError(
      "usage",
      `No price of ${modelName} is known, so that --max-budget-usd cannot be kept. Give one: --settings '{"prices": {"${modelName}": {"input": 1, "output": 2}}}'`,
    );
  const mode =
    options.permissionMode === "default" && settings.defaultMode !== null ? settings.defaultMode : options.permissionMode;
  if (mode === "bypassPermissions" && settings.bypassDisabled)
    throw new YumeError(
      "usage",
      "The settings of this machine or user forbid bypassPermissions. Choose another --permission-mode.",
    );
  const gate: Gate = new Gate({
    mode,
    bypassDisabled: settings.bypassDisabled,
    dialect: options.dialect,
    roots: { cwd: workspace.cwd, home: world.home },
    rules: {
      allow: [...parseRules(options.allowRules), ...settings.allow],
      ask: settings.ask,
      deny: [...parseRules(options.denyRules), ...settings.deny],
    },
    updates: {
      allowFrom: settings.allowFrom,
      mayBypass: options.mayBypass || mode === "bypassPermissions",
      save: (update, destination) => saveUpdate(update, destination, settingPlaces(options, world, workspace.cwd)),
      addFolder: (folder) => workspace.add(folder),
      removeFolder: (folder) => workspace.remove(folder),
      log,
    },
    asker: () => toolAsker ?? hostAsker ?? people,
    hooks: () => hooks,
  });
  const people = options.approvals === "hap" ? await hapAsker(workspace.cwd, () => session.id) : null;
  const hostAsker = setup.hostAsker(() => gate);
  const hooks: Hooks = new Hooks(
    setup.channel,
    () => ({
      session_id: session.id,
      transcript_path:
        options.dialect === "claude"
          ? transcriptPath(claudeFolder(world.env, world.home), session)
          : join(world.home, ".yume", "sessions", `${session.id}.json`),
      cwd: workspace.cwd,
      permission_mode: gate.mode,
    }),
    (words) => log(words),
  );
  hooks.register(wishes.hooks);
  // A project's variables do not reach hooks: they could disarm a guard.
  hooks.addSettings(settings.hooks, { env, cwd: workspace.cwd });
  const sandbox = chooseSandbox(options.sandbox, workspace, {
    network: settings.sandboxNetwork,
    guarded: () => protectedPaths(gate.rules.deny, workspace.roots, { cwd: workspace.cwd, home: world.home }),
  });
  const shells = new Shells({ workspace, env: shellEnvironment({ ...env, ...settings.projectEnv }), outputs, sandbox });
  const kit: Kit = {
    provider,
    emit: setup.emit,
    gate,
    hooks,
    ledger: new Ledger(costOf),
    redact,
    world: {
      workspace,
      shells,
      files: new FileMemory(),
      hidden: (path) => gate.hidesSome && gate.hides(workspace.resolve(path)),
      buffers: setup.buffers,
    },
    outputs,
    denials: [],
    openTasks: () => openTasks(session.todos),
    thinking: { tokens: options.maxThinkingTokens, effort: options.effort, mode: options.thinking },
    fallbackModel: options.fallbackModel === null ? null : (chooseModel(options.fallbackModel, providerName, env) ?? null),
  };
  const { configs, unapproved } = mcpSources(options, settings, workspace.cwd);
  if (unapproved.length > 0 && options.verbose)
    log(`servers of .mcp.json that are not approved were left out: ${unapproved.join(", ")}`);
  const servers = readMcpConfigs(configs, wishes.sdkMcpServers ?? [], env);
  const mcpWorld: McpWorld = { channel: setup.channel, env, cwd: workspace.cwd, log };
  let mcp = await connectServers(servers, mcpWorld);
  const lsp = await findLanguageServers(settings, { workspace, env: shellEnvironment(env), sandbox, log });
  const toolAsker = makeToolAsker(options.promptTool, mcp?.tools ?? [], kit);
  const system = () => makeSystemPrompt(setup, workspace, gate, [...made.toolbox.keys()]);
  const made: MadeToolbox = makeToolbox({
    options,
    settings,
    session,
    env,
    cwd: workspace.cwd,
    home: world.home,
    outputs,
    skillFolders: claudePlaces(options, world, workspace.cwd, "skills"),
    // Who decides about the model's calls is no tool of the model.
    broughtTools: [
      ...(lsp === null ? [] : [lsp.tool]),
      ...questionTools(options, workspace.cwd, session, () => gate, toolAsker !== null, setup.hostAsker),
      ...(mcp?.tools ?? []).filter(({ spec }) => spec.name !== options.promptTool),
    ],
    agents: { ...findAgentFiles(claudePlaces(options, world, workspace.cwd, "agents")), ...wishes.agents },
    tasks: { kit: () => kit, model: () => agent.model, system, limits: () => agent.limits },
  });
  const commands = findCommands(claudePlaces(options, world, workspace.cwd, "commands"));
  const schema = wishes.jsonSchema ?? options.jsonSchema;
  const agent: Agent = new Agent({
    kit,
    session,
    options,
    model: modelName,
    system,
    // A model that cannot call tools is offered none; a program that is driven has its own.
    toolbox: () => (provider.capabilities(agent.model).tools ? made.toolbox : NO_TOOLS),
    init: () => ({
      cwd: workspace.cwd,
      mcp_servers: (mcp?.status ?? []).map(({ name, status }) => ({ name, status })),
      agents: made.agents,
      skills: made.skills.map(({ name }) => name),
      slash_commands: ["compact", ...commands.map(({ name }) => name)],
    }),
    save: setup.save,
    now: world.now,
    commands,
    mcp: {
      status: () => mcp?.status ?? [],
      // Servers of flags and files stay: a host replaces those that it set itself.
      set: async (wanted) => {
        mcp ??= await connectServers([], mcpWorld, true);
        const fixed = new Set(servers.map(({ name }) => name));
        const changed = await mcp?.replace(readServers(wanted, env), (name) => !fixed.has(name) || name in wanted);
        made.refresh(mcp?.tools ?? []);
        return changed ?? { added: [], removed: [], errors: {} };
      },
      reconnect: async (name) => {
        const status = await mcp?.reconnect(name);
        made.refresh(mcp?.tools ?? []);
        return status ?? null;
      },
      toggle: async (name, enabled) => {
        await mcp?.toggle(name, enabled);
        made.refresh(mcp?.tools ?? []);
      },
    },
    structured: schema === null ? null : { schema, validate: await makeValidate(schema) },
    close: async () => {
      made.tasks.close();
      shells.close();
      await Promise.all([mcp?.close(), lsp?.close()]);
      sandbox?.close();
      await people?.close();
    },
  });
  return agent;
}

function openTasks(todos: readonly unknown[]): string[] {
  return todos.flatMap((todo) => {
    const { content, status } = todo as { content?: unknown; status?: unknown };
    return typeof content === "string" && status !== "completed" ? [`${content} (${String(status)})`] : [];
  });
}

function given<K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> {
  return value === null || value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>);
}

/** The MCP client is loaded only when there is a server. */
async function connectServers(servers: readonly McpServer[], world: McpWorld, always = false) {
  if (servers.length === 0 && !always) return null;
  const { McpServers } = await import("../mcp/mcp-servers.ts");
  const mcp = new McpServers(world);
  await mcp.connect(servers);
  return mcp;
}

/** The client of language servers is loaded only when one is configured. */
async function findLanguageServers({ lspServers }: Settings, world: LspWorld) {
  return lspServers.length === 0 ? null : (await import("../tools/lsp/lsp.ts")).makeLsp(lspServers, world);
}

/** The tools by which the model turns to the user, where somebody could answer. */
function questionTools(
  { approvals, asksHost, promptTool }: Options,
  cwd: string,
  session: Session,
  gate: () => Gate,
  byTool: boolean,
  hostAsker: AgentSetup["hostAsker"],
): Tool[] {
  const byHost = asksHost || byTool || promptTool !== null;
  const people: AskPeople | null =
    approvals === "hap" && !byHost
      ? async (questions, signal) =>
          (await import("../permissions/ask-people.ts")).askPeople(cwd, () => session.id)(questions, signal)
      : null;
  return [
    ...(byHost || people !== null ? [askUserQuestionTool(people)] : []),
    ...(byHost || people !== null || hostAsker(gate) !== null ? [exitPlanModeTool(gate)] : []),
  ];
}

function makeToolAsker(name: string | null, tools: readonly Tool[], { gate, world }: Kit): Asker | null {
  if (name === null) return null;
  const tool = tools.find(({ spec }) => spec.name === name);
  if (tool === undefined)
    throw new YumeError("usage", `--permission-prompt-tool: no server of --mcp-config that could be reached has a tool ${name}.`);
  return new ToolAsker(
    name,
    (input, signal) => tool.run(input, { ...world, signal, toolUseId: "" }),
    () => gate,
  );
}

async function hapAsker(project: string, session: () => string) {
  const { HapAsker } = await import("../permissions/hap-asker.ts");
  return new HapAsker(project, session);
}

function makeSystemPrompt({ options, wishes, world }: AgentSetup, workspace: Workspace, gate: Gate, tools: string[]): string {
  const replaced = wishes.systemPrompt ?? options.systemPrompt;
  const appended = [options.appendSystemPrompt, wishes.appendSystemPrompt].filter(
    (text): text is string => typeof text === "string" && text !== "",
  );
  const base =
    replaced ??
    systemPrompt({
      cwd: workspace.cwd,
      platform: process.platform,
      date: world.now().toISOString().slice(0, 10),
      roots: workspace.roots,
      mode: gate.mode,
      tools,
      instructions: readInstructions({
        cwd: workspace.cwd,
        home: world.home,
        claudeFolder: claudeFolder(world.env, world.home),
        user: wantsSource(options, "user"),
        project: wantsSource(options, "project"),
        hidden: (path) => gate.hides(path),
      }),
    });
  return [base, ...appended].join("\n\n");
}
