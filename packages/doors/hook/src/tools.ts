// The tools of the hosts by name, and what each does. A tool that is not here is unknown, and unknown tools ask.

/** How a tool's input is read. */
export type ToolShape =
  /** A shell command in `command`. */
  | { does: "shell"; dialect: "bash" | "unknown"; folder?: "unsaid" }
  /** Reads what the named fields say; without them, the working folder. A search also says which field holds its file pattern. */
  | { does: "read"; paths: readonly string[]; search?: { pattern: string; shows: "names" | "contents" } }
  /** Writes a whole file, replaces parts of one, or applies Codex's patch. */
  | { does: "write"; path: string; content: string }
  | { does: "edit"; path: string }
  | { does: "patch" }
  /** Searches the web, or reads a page of it. */
  | { does: "web"; reads: "search" | "page" }
  /** Keeps the host's own books, or starts agents whose calls pass here again. Nothing leaves, nothing is changed. */
  | { does: "keep" }
  /** The host asks its own person about it; a yes from here would take that away. */
  | { does: "host_asks" }
  /** Asks the person something. */
  | { does: "question" };

/**
 * Fields that the tools which change something or reach the web are known to have. A host may act on a field that HAP does not know in place of the
 * ones that it judges, so a call with one is asked about.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Bash: [
    ...["command", "description", "timeout", "run_in_background", "dangerouslyDisableSandbox"],
    ...["workdir", "timeout_ms", "with_escalated_permissions", "sandbox_permissions", "justification", "login"],
  ],
  apply_patch: ["command"],
  Write: ["file_path", "content"],
  Edit: ["file_path", "old_string", "new_string", "replace_all"],
  MultiEdit: ["file_path", "edits"],
  NotebookEdit: ["notebook_path", "cell_id", "cell_number", "new_source", "cell_type", "edit_mode"],
  WebSearch: ["query", "allowed_domains", "blocked_domains"],
  WebFetch: ["url", "prompt"],
};

/** Fields of a call that HAP does not know. */
export function unknownFields(tool: string, input: object): readonly string[] {
  const known = Object.hasOwn(FIELDS, tool) ? FIELDS[tool] : undefined;
  return known === undefined ? [] : Object.keys(input).filter((field) => !known.includes(field));
}

/** Under which name `hap init` puts our MCP server into a host's settings. */
export const OUR_SERVER = "hap";

/** Its tools: none of them can decide (D2), and those that sound so pass the matter on to the person (D4). */
const OUR_TOOLS = [
  ...["create_ticket", "ask", "wait", "get_ticket", "list_pending", "request_status", "cancel_ticket"],
  ...["approve_ticket", "reject_ticket", "ack_ticket"],
].map((name) => `mcp__${OUR_SERVER}__hap_${name}`);

const keep: ToolShape = { does: "keep" };
const bash: Extract<ToolShape, { does: "shell" }> = { does: "shell", dialect: "bash" };

const TABLE: Readonly<Record<string, ToolShape>> = {
  Bash: bash,
  shell: bash,
  local_shell: bash,
  // Its hooks are not told in which folder the command will run.
  exec_command: { ...bash, folder: "unsaid" },
  PowerShell: { does: "shell", dialect: "unknown" },
  Read: { does: "read", paths: ["file_path"] },
  NotebookRead: { does: "read", paths: ["notebook_path"] },
  Glob: { does: "read", paths: ["path"], search: { pattern: "pattern", shows: "names" } },
  Grep: { does: "read", paths: ["path"], search: { pattern: "glob", shows: "contents" } },
  LS: { does: "read", paths: ["path"] },
  Write: { does: "write", path: "file_path", content: "content" },
  NotebookEdit: { does: "write", path: "notebook_path", content: "new_source" },
  Edit: { does: "edit", path: "file_path" },
  MultiEdit: { does: "edit", path: "file_path" },
  apply_patch: { does: "patch" },
  WebSearch: { does: "web", reads: "search" },
  WebFetch: { does: "web", reads: "page" },
  AskUserQuestion: { does: "question" },
  ExitPlanMode: { does: "host_asks" },
  EnterPlanMode: { does: "host_asks" },
  Task: keep,
  Agent: keep,
  TodoWrite: keep,
  TodoRead: keep,
  TaskCreate: keep,
  TaskGet: keep,
  TaskList: keep,
  TaskUpdate: keep,
  TaskOutput: keep,
  TaskStop: keep,
  BashOutput: keep,
  KillShell: keep,
  ToolSearch: keep,
  update_plan: keep,
};

/** A map, because every object also has `constructor` and its kind. */
const TOOLS: ReadonlyMap<string, ToolShape> = new Map([
  ...Object.entries(TABLE),
  ...OUR_TOOLS.map((name) => [name, keep] as const),
]);

/** What a tool does, or null for one that is not known. */
export function shapeOf(tool: string): ToolShape | null {
  return TOOLS.get(tool) ?? null;
}

/** The `kind` under which rules and tickets know a tool without a kind of its own: `tool.` and its name. */
export function kindByName(tool: string): string {
  const name = tool.toLowerCase().replaceAll(/[^a-z0-9_.:-]+/g, "-");
  return `tool.${name}`.slice(0, 64);
}
