// The table of modes and classes of calls, as it stands in docs/yume.md. Pure; a test compares the two.
import type { Dialect } from "../argv/options.ts";
import type { PermissionMode } from "./mode.ts";

/** What a call would do, as far as the table is concerned. */
export const CALL_CLASSES = [
  "own",
  "read",
  "read_outside",
  "edit",
  "edit_outside",
  "guarded",
  "harmless_command",
  "command",
  "command_outside",
  "network",
  "mcp",
] as const;
export type CallClass = (typeof CALL_CLASSES)[number];

export type Verdict = "allow" | "ask" | "deny";

type Row = Readonly<Record<CallClass, Verdict>>;

const ASKING: Row = {
  own: "allow",
  read: "allow",
  read_outside: "ask",
  edit: "ask",
  edit_outside: "ask",
  guarded: "ask",
  harmless_command: "allow",
  command: "ask",
  command_outside: "ask",
  network: "ask",
  mcp: "ask",
};
const mapAsk = (row: Row, to: Verdict): Row =>
  Object.fromEntries(Object.entries(row).map(([name, verdict]) => [name, verdict === "ask" ? to : verdict])) as Row;

const ROWS: Readonly<Record<PermissionMode, Row>> = {
  default: ASKING,
  interactive: ASKING,
  acceptEdits: { ...ASKING, edit: "allow" },
  plan: { ...ASKING, edit: "deny", edit_outside: "deny", guarded: "deny", command: "deny", command_outside: "deny", mcp: "deny" },
  // In the flat dialect: every tool inside the workspace.
  auto: { ...ASKING, edit: "allow", command: "allow", network: "allow", mcp: "allow" },
  deny: { ...mapAsk(ASKING, "deny"), harmless_command: "deny" },
  dontAsk: mapAsk(ASKING, "deny"),
  bypassPermissions: mapAsk(ASKING, "allow"),
};

/** What a mode says about a class of calls, before any rule. */
export function lookUp(mode: PermissionMode, callClass: CallClass, dialect: Dialect): Verdict {
  // Claude's `auto` must not mean "run everything": harmless commands and edits in the workspace only.
  if (mode === "auto" && dialect === "claude") return ROWS.acceptEdits[callClass];
  return ROWS[mode][callClass];
}
