// How Claude Code is started behind the gate: everything on its command line, no file changed. Pure but for a file of settings
// that the person names.
import type * as HookInstall from "@hap/door-hook/install";
import type { Installed } from "@hap/door-hook/install";
import { HapError } from "@hap/protocol";
import { readIfThere } from "../install/change-file.ts";

type Door = typeof HookInstall;
type Server = HookInstall.McpServer;
type Settings = { hooks: Record<string, { hooks: { command: string }[] }[]> };

/** Options under which no hook of ours would run: without them, or somewhere else. */
const UNGATED: Readonly<Record<string, string>> = {
  "--bare": "runs no hooks",
  "--safe-mode": "runs no hooks",
  "--cloud": "runs elsewhere, where this gate is not",
  "--environment": "runs elsewhere, where this gate is not",
  "--teleport": "continues a session that runs elsewhere",
  "--desktop": "opens another program, which does not get these settings",
  "--bg": "starts a session that outlives this command",
  "--background": "starts a session that outlives this command",
};

/** Variables that do the same. */
export const UNGATED_VARIABLES = ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"];

/**
 * The arguments of `claude` for a gated session with the arguments that the person gave. `installed`: commands of a gate that is in
 * a settings file already, by event.
 */
export function claudeArguments(
  door: Door,
  gate: Installed,
  server: Server,
  given: readonly string[],
  installed: ReadonlyMap<string, string> = new Map(),
): string[] {
  const end = given.indexOf("--");
  const options = end < 0 ? given : given.slice(0, end);
  for (const arg of options) {
    const [name = ""] = arg.split("=", 1);
    if (Object.hasOwn(UNGATED, name)) throw ungated(name, UNGATED[name] as string);
  }
  const { rest, stated } = takeSettings(given);
  // Stated, so that a project's `disableAllHooks` does not count: what stands on the command line wins over files.
  const own = { ...stated, disableAllHooks: false };
  const settings = JSON.parse(door.withHooks(JSON.stringify(own), "--settings", gate)) as Settings;
  for (const [event, groups] of Object.entries(settings.hooks))
    for (const { hooks } of groups) for (const hook of hooks) hook.command = installed.get(event) ?? hook.command;
  const mcp = { mcpServers: { hap: server } };
  // `--mcp-config` takes every word up to the next option, so it does not come last.
  return ["--mcp-config", JSON.stringify(mcp), "--settings", JSON.stringify(settings), ...rest];
}

/** The last `--settings` counts for Claude Code, so the person's are taken out and merged with ours. */
function takeSettings(given: readonly string[]): { rest: string[]; stated: Record<string, unknown> } {
  const rest: string[] = [];
  let stated: Record<string, unknown> = {};
  for (let at = 0; at < given.length; at++) {
    const arg = given[at] as string;
    if (arg === "--") {
      rest.push(...given.slice(at));
      break;
    }
    if (arg === "--settings") stated = readSettings(given[++at]);
    else if (arg.startsWith("--settings=")) stated = readSettings(arg.slice("--settings=".length));
    else rest.push(arg);
  }
  return { rest, stated };
}

function readSettings(value: string | undefined): Record<string, unknown> {
  const wrong = (what: string) => new HapError("invalid_input", `--settings ${what}`, { field: "--settings" });
  if (value === undefined) throw wrong("needs a file or JSON.");
  const text = value.trim().startsWith("{") ? value : readIfThere(value);
  if (text === null) throw wrong(`names ${value}, and there is no such file.`);
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    throw wrong("is not valid JSON.");
  }
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) throw wrong("must be a JSON object.");
  if ("hooks" in settings || "disableAllHooks" in settings)
    throw wrong("must not hold hooks or disableAllHooks: the gate cannot see what they do. Put hooks into a settings file.");
  return settings as Record<string, unknown>;
}

function ungated(name: string, why: string): HapError {
  return new HapError(
    "invalid_input",
    `${name} ${why}, so the session would not pass the gate. Run \`claude\` itself if you want that.`,
    { field: name },
  );
}
