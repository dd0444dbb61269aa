// The settings of a run, merged from every source as Claude Code merges them: rules and folders add up, for single values the
// strongest source wins. Files that a project brings are less trusted than the user's. Pure but for reading the files.
import { isPermissionMode, type PermissionMode } from "../permissions/mode.ts";
import { parseRules, type Rule, type RulePlace } from "../permissions/rules.ts";
import { type LspServer, readLspServers } from "../tools/lsp/lsp-config.ts";
import { readHooks, type SettingsHook } from "./hook-settings.ts";
import { isTrustedProject } from "./project-trust.ts";
import { readSources, type SettingPlaces, type SettingSource, type SourceName } from "./setting-sources.ts";

type ProviderSetting = { apiBase: string | null; wire: "chat" | "responses" | null; keyCommand: string | null };

export type Settings = {
  allow: Rule[];
  ask: Rule[];
  deny: Rule[];
  /** The sources whose allow rules count. */
  allowFrom: ReadonlySet<RulePlace>;
  defaultMode: PermissionMode | null;
  /** An administrator or the user forbids bypassPermissions. */
  bypassDisabled: boolean;
  additionalDirectories: string[];
  /** For this program and what it starts; never from files of the project. */
  env: Record<string, string>;
  /** For commands only, from files of the project. */
  projectEnv: Record<string, string>;
  hooks: SettingsHook[];
  provider: string | null;
  model: string | null;
  providers: Record<string, ProviderSetting>;
  /** Claude Code's name for the command that prints Anthropic's key. */
  apiKeyHelper: string | null;
  /** MCP servers of the user's own configuration. */
  mcpServers: Record<string, unknown>;
  /** Which servers of a project's .mcp.json the user approved. */
  projectMcp: { all: boolean; enabled: string[]; disabled: string[] };
  /** Hosts (`name` or `name:port`) that WebFetch may reach although they are private. */
  webFetchHosts: string[];
  /** Where WebSearch asks; `{query}` stands for the query. */
  webSearchUrl: string | null;
  sandboxNetwork: boolean;
  lspServers: LspServer[];
  /** Prices by model, in US dollars per million tokens. */
  prices: Record<string, unknown>;
  /** What was left out of a source, and why. */
  notes: string[];
};

type Loose = Record<string, unknown>;

/** Sources that come with a project: anybody who wrote the repository, or an agent, may have written them. */
const OF_PROJECT: ReadonlySet<SourceName> = new Set(["project", "local"]);
/** Variables by which a project could reach around a gate: ours, and those that make a harmless command run something else. */
const GATE_VARIABLES =
  /^(?:HAP_|YUME_|GIT_(?!AUTHOR_|COMMITTER_)|LD_|DYLD_|BASH_|(?:ENV|SHELLOPTS|BASHOPTS|PS4|NODE_OPTIONS|RIPGREP_CONFIG_PATH)$)/i;
/** Where the rules of a source belong, in Claude Code's words. */
const PLACES: Readonly<Record<SourceName, RulePlace>> = {
  yume: "yumeSettings",
  user: "userSettings",
  project: "projectSettings",
  local: "localSettings",
  flag: "flagSettings",
  managed: "policySettings",
};

/** Read and merge all settings. */
export function readSettings(places: SettingPlaces): Settings {
  const sources = readSources(places);
  return mergeSettings(sources, { projectTrusted: isTrustedProject(places, sources), wanted: places.wanted });
}

export type Trust = { projectTrusted: boolean; wanted: readonly string[] | null };

/** Merge sources, weakest first. */
export function mergeSettings(sources: readonly SettingSource[], trust: Trust): Settings {
  const notes: string[] = [];
  const trusted = sources.filter(({ name }) => !OF_PROJECT.has(name));
  const managedRulesOnly = sources.some(
    ({ name, value }) => name === "managed" && value.allowManagedPermissionRulesOnly === true,
  );
  const allowFrom = allowPlaces(managedRulesOnly, trust);
  const mayAllow = sources.filter((source) => {
    const may = allowFrom.has(PLACES[source.name]);
    if (!may && !managedRulesOnly) noteUntrusted(source, notes);
    return may;
  });
  const last = <T>(from: readonly SettingSource[], read: (value: Loose) => T | null): T | null =>
    from.reduce<T | null>((found, { value }) => read(value) ?? found, null);
  const joined = (from: readonly SettingSource[], key: string): Loose =>
    Object.assign({}, ...from.map(({ value }) => object(value[key]))) as Loose;
  const textsIn = (value: Loose, kind: string) => strings(object(value.permissions)[kind]);
  const rules = (kind: string, from: readonly SettingSource[]) =>
    from.flatMap(({ name, value }) => parseRules(textsIn(value, kind), PLACES[name]));
  return {
    // A rule that lets something run counts only where its source may say so; one that forbids always does.
    allow: rules("allow", mayAllow),
    ask: rules("ask", sources),
    deny: rules("deny", sources),
    allowFrom,
    defaultMode: modeOf(sources, notes),
    bypassDisabled: sources.some(({ value }) => object(value.permissions).disableBypassPermissionsMode === "disable"),
    additionalDirectories: (managedRulesOnly ? sources : mayAllow).flatMap(({ value }) =>
      textsIn(value, "additionalDirectories"),
    ),
    env: texts(joined(trusted, "env")),
    projectEnv: projectEnv(sources, notes),
    hooks: readHooks(sources),
    provider: last(trusted, (value) => text(value.provider)),
    model: last(sources, (value) => text(value.model)),
    providers: Object.fromEntries(
      Object.entries(joined(trusted, "providers")).map(([name, value]) => [name, providerOf(object(value))]),
    ),
    apiKeyHelper: last(trusted, (value) => text(value.apiKeyHelper)),
    mcpServers: joined(
      sources.filter(({ name }) => name === "yume"),
      "mcpServers",
    ),
    projectMcp: {
      all: last(trusted, (value) => bool(value.enableAllProjectMcpServers)) ?? false,
      enabled: trusted.flatMap(({ value }) => strings(value.enabledMcpjsonServers)),
      disabled: sources.flatMap(({ value }) => strings(value.disabledMcpjsonServers)),
    },
    webFetchHosts: trusted.flatMap(({ value }) => strings(object(value.webFetch).allowHosts)),
    webSearchUrl: last(trusted, (value) => text(object(value.webSearch).url)),
    sandboxNetwork: last(trusted, (value) => bool(object(value.sandbox).network)) ?? false,
    // A language server is a program that is started: a project's own file does not choose one.
    lspServers: trusted.flatMap(({ value }) => readLspServers(value.lspServers)),
    prices: joined(trusted, "prices"),
    notes,
  };
}

/** Which sources may let something run: a project's committed file only where the user trusts the project. */
function allowPlaces(managedOnly: boolean, { projectTrusted, wanted }: Trust): Set<RulePlace> {
  if (managedOnly) return new Set(["policySettings"]);
  const wants = (name: string) => wanted === null || wanted.includes(name);
  const places: RulePlace[] = ["session", "cliArg", "yumeSettings", "flagSettings", "policySettings"];
  if (wants("user")) places.push("userSettings");
  if (wants("local")) places.push("localSettings");
  if (wants("project") && projectTrusted) places.push("projectSettings");
  return new Set(places);
}

function noteUntrusted({ name, path, value }: SettingSource, notes: string[]): void {
  for (const kind of ["allow", "additionalDirectories"]) {
    const count = strings(object(value.permissions)[kind]).length;
    if (name === "project" && count > 0)
      notes.push(
        `permissions.${kind} of ${path} is ignored (${count}): you have not trusted this project. Add its folder to trustedProjects in ~/.yume/config.json, or accept Claude Code's trust question in it`,
      );
  }
}

function modeOf(sources: readonly SettingSource[], notes: string[]): PermissionMode | null {
  let mode: PermissionMode | null = null;
  for (const { name, path, value } of sources) {
    const given = object(value.permissions).defaultMode;
    if (!isPermissionMode(given)) continue;
    if (given === "bypassPermissions" && OF_PROJECT.has(name))
      notes.push(`${path} asks for bypassPermissions, which a project's settings cannot grant; it is ignored`);
    else mode = given;
  }
  return mode;
}

function projectEnv(sources: readonly SettingSource[], notes: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, path, value } of sources) {
    if (!OF_PROJECT.has(name)) continue;
    for (const [variable, content] of Object.entries(texts(object(value.env)))) {
      if (GATE_VARIABLES.test(variable)) notes.push(`${path} sets ${variable}, which a project's settings cannot; it is ignored`);
      else found[variable] = content;
    }
  }
  return found;
}

function providerOf(value: Loose): ProviderSetting {
  return {
    apiBase: text(value.apiBase),
    wire: value.wire === "chat" || value.wire === "responses" ? value.wire : null,
    keyCommand: text(value.keyCommand),
  };
}

function texts(value: Loose): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, content]) =>
      typeof content === "string" || typeof content === "number" || typeof content === "boolean" ? [[name, String(content)]] : [],
    ),
  );
}

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const bool = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null);

function object(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
