// The interface of a hook host. A new host is one file beside this one and its line in ../hosts.ts; a test proves that.
import type { SettingsPlaces, SettingsSource } from "../confine/host-settings.ts";
import type { JsonObject } from "../read-event.ts";

/** How far a settings file reaches. `shared` is the project's file that is committed; we read it and never write it. */
export type Scope = "managed" | "user" | "project" | "shared";

/** Folders that the paths of settings begin with. */
export type Places = { home: string; project: string; platform: NodeJS.Platform };

/** A finding of `hap doctor`. `warn` is worth knowing and no failure; `fail` makes the exit code 1. */
export type Finding = { id: string; status: "ok" | "warn" | "fail"; text: string };

/** A call whose command might run in the host's own sandbox. `mode` is the host's permission mode. */
export type SandboxedCall = { mode: string | null; input: JsonObject; project: string | null; home: string };

/** HAP confines commands: the hook rewrites the command of one tool, so that it runs in HAP's sandbox. */
export type ConfinedByHap = {
  readonly by: "hap";
  /** The tool whose command is rewritten. */
  readonly tool: string;
  /** Folder of settings in a project. Created before a command runs, since only an existing folder can be mounted read-only. */
  readonly settingsFolder: string;
  /** True if the call asks the host for a run outside of sandboxes; it is never rewritten. */
  readonly optsOut: (input: JsonObject) => boolean;
  /** Every source of settings that can hold permission rules and hooks. */
  readonly readSettings: (places: SettingsPlaces) => SettingsSource[];
  /** True if the host's own sandbox is on: HAP's cannot start inside it. */
  readonly hasOwnSandbox: (sources: readonly SettingsSource[]) => boolean;
};

/** The host's own sandbox confines commands, and the hook never rewrites them. */
type ConfinedByHost = {
  readonly by: "host";
  /** True if the sandbox holds this call. */
  readonly holds: (call: SandboxedCall) => boolean;
  /** The state of the sandbox for `hap doctor`, from the host's configuration. */
  readonly inspect: (places: Pick<Places, "home" | "project">) => Finding;
};

/** Who confines commands that are not proven harmless. With `none`, such a command always asks. */
type Confinement = ConfinedByHap | ConfinedByHost | { readonly by: "none" };

/** A tool call in a transcript. Resumed sessions repeat calls; the id finds the copies. */
export type TranscriptCall = { id: string; tool: string; input: JsonObject; cwd: string };

/** The transcripts (JSONL) that a host keeps of its sessions. */
type HostTranscripts = {
  readonly folder: (home: string, env: NodeJS.ProcessEnv) => string;
  /** Returns a reader for one transcript, which gets its entries in order and returns the tool calls of each. */
  readonly reader: () => (entry: JsonObject) => TranscriptCall[];
};

/** A program that runs an agent and calls hooks, and how it differs from others. */
export type HookHost = {
  readonly title: string;
  /** The agent's name in tickets, unless another is given. */
  readonly agent: string;
  /** Every settings file in which a hook may be, the strongest first. */
  readonly settingsFiles: (places: Places) => { scope: Scope; path: string }[];
  /** Where the host looks for MCP servers of that scope; null where we leave that to the administrator. */
  readonly mcpFile: (scope: Scope, places: Places) => string | null;
  /** Explains who writes managed settings; null if `hap init --managed` writes them. */
  readonly managedByAdministrator: string | null;
  /** Events at which something is decided, and those that only notify. */
  readonly events: { readonly decide: readonly string[]; readonly tell: readonly string[] };
  /** Set on the handlers of gates, so that a hook that fails blocks the call; null where the host has no such setting. */
  readonly onFailure: "block" | null;
  /** True if handlers of gates need a matcher to see every tool. */
  readonly matchesTools: boolean;
  /** True if a yes must be stated. Where it is false, silence is a yes, and a stated one needs a changed input. */
  readonly statesYes: boolean;
  /** True if an answer to a permission request may change the input. */
  readonly editsPermissions: boolean;
  /** True if it asks for permission after our yes only where its own rules or checks want a person. */
  readonly asksForItself: boolean;
  readonly confinement: Confinement;
  /** True if its MCP settings can refer to variables of its environment. */
  readonly refersToVariables: boolean;
  /** Settings in one file that switch hooks off or try to reach into them. `managed`: a managed file has a gate. */
  readonly findDisarming: (file: { text: string; path: string; managed: boolean }) => Finding[];
  /** Files other than `settingsFiles` that can switch hooks off; checked by `findDisarming` as well. */
  readonly otherFiles: (places: Places) => string[];
  /** The oldest version whose hooks can be relied on, and what happens in older ones; null if every version is fine. */
  readonly minVersion: { readonly version: readonly [number, number, number]; readonly otherwise: string } | null;
  /** The transcripts that `hap preview` and `hap today` read; null if the host keeps none. */
  readonly transcripts: HostTranscripts | null;
  /** Next step for the person after the installation; null if there is none. */
  readonly afterInstall: string | null;
};
