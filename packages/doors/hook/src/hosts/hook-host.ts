// What a host of hooks is to this door. A new host is one file beside this one and its line in ../hosts.ts.

/** How far a settings file reaches. `shared` is the project's file that is committed; we read it and never write it. */
export type Scope = "managed" | "user" | "project" | "shared";

/** Folders that the paths of settings begin with. */
export type Places = { home: string; project: string; platform: NodeJS.Platform };

/** A program that runs an agent and calls hooks, and how it differs from others. */
export type HookHost = {
  readonly title: string;
  /** The agent's name in tickets, unless another is stated. */
  readonly agent: string;
  /** Every settings file in which a hook may be, the strongest first. */
  readonly settingsFiles: (places: Places) => { scope: Scope; path: string }[];
  /** Where the host looks for MCP servers of that scope; null where we leave that to the administrator. */
  readonly mcpFile: (scope: Scope, places: Places) => string | null;
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
  /** True if it confines commands itself. */
  readonly confinesItself: boolean;
  /** True if its MCP settings can refer to variables of its environment. */
  readonly refersToVariables: boolean;
  /** What the person has to do after the installation; null if nothing. */
  readonly afterInstall: string | null;
};
