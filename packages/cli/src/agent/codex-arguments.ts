// How Codex is started behind the gate: hooks, their trust and the MCP server as overrides on its command line. Pure.
import type * as HookInstall from "@hap/door-hook/install";
import type { Installed } from "@hap/door-hook/install";
import { HapError } from "@hap/protocol";
import type { CodexHook } from "./codex-hooks.ts";

type Door = typeof HookInstall;
type Server = HookInstall.McpServer;
type Handler = { type: string; command: string; timeout: number };

/** Subcommands that run elsewhere or as a server of their own: nothing of this command line would reach them. */
const UNGATED = ["cloud", "app", "app-server", "remote-control", "exec-server", "mcp-server"];

/** Refuse what would switch the gate off, or run where it is not. */
export function refuseUngated(given: readonly string[]): void {
  const end = given.indexOf("--");
  const options = end < 0 ? given : given.slice(0, end);
  for (const [at, arg] of options.entries()) {
    const named = /^(?:-c|--config|--disable)(?:=(.*))?$/.exec(arg);
    const value = named !== null ? (named[1] ?? options[at + 1] ?? "") : /^-c(.+)$/.exec(arg)?.[1];
    if (value === undefined) continue;
    if (/^\s*(?:features\s*=|(?:features\s*\.\s*)?"?(?:codex_)?hooks"?\s*(?:[.=]|$))/.test(value))
      throw refusal(`${arg} ${value.slice(0, 60)}`, "changes Codex's hooks");
  }
  const first = options.find((arg) => !arg.startsWith("-"));
  if (first !== undefined && UNGATED.includes(first)) throw refusal(first, "runs elsewhere, where this gate is not");
}

/** The hooks, as overrides. */
export function hookOverrides(door: Door, installed: Installed): string[] {
  const { hooks } = JSON.parse(door.withHooks(null, "-c", installed)) as { hooks: Record<string, { hooks: Handler[] }[]> };
  return Object.entries(hooks).flatMap(([event, groups]) => {
    const tables = groups.map((group) => `{hooks=[${group.hooks.map(handlerTable).join(",")}]}`);
    return ["-c", `hooks.${event}=[${tables.join(",")}]`];
  });
}

/** Trust in exactly these hooks, as Codex would note it after a person's review. Everybody else's need their own. */
export function trustOverrides(hooks: readonly CodexHook[]): string[] {
  const states = hooks.map(({ key, currentHash }) => `${JSON.stringify(key)}={trusted_hash=${JSON.stringify(currentHash)}}`);
  return ["-c", `hooks.state={${states.join(",")}}`];
}

/** Our MCP server. */
export function serverOverrides({ command, args, env }: Server): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const list = args.map((arg) => JSON.stringify(arg));
  return ["-c", `mcp_servers.hap={command=${JSON.stringify(command)},args=[${list.join(",")}],env={${variables.join(",")}}}`];
}

// A JSON string is a basic string of TOML: both escape quotes, backslashes and control characters alike.
function handlerTable({ type, command, timeout }: Handler): string {
  return `{type=${JSON.stringify(type)},command=${JSON.stringify(command)},timeout=${timeout}}`;
}

function refusal(name: string, why: string): HapError {
  return new HapError(
    "invalid_input",
    `${name} ${why}, so the session would not pass the gate. Run \`codex\` itself if you want that.`,
    { field: name },
  );
}
