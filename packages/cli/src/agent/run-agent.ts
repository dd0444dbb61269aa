// hap claude, hap codex: the inbox runs, the agent is gated by its command line, and this process becomes the agent.
import type * as HookInstall from "@hap/door-hook/install";
import type { Host, Installed } from "@hap/door-hook/install";
import { HapError } from "@hap/protocol";
import { findProject } from "@hap/sdk/project";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { readIfThere } from "../install/change-file.ts";
import { gateOf, mcpServerOf } from "../install/gate-parts.ts";
import { findParts, type Parts } from "../install/installation.ts";
import { styleOf } from "../show/print-ticket.ts";
import { ensureInbox } from "./background-inbox.ts";
import { become } from "./become.ts";
import { claudeArguments, UNGATED_VARIABLES } from "./claude-arguments.ts";
import { hookOverrides, refuseUngated, serverOverrides, trustOverrides } from "./codex-arguments.ts";
import { listCodexHooks, takesOption } from "./codex-hooks.ts";
import { findProgram } from "./find-program.ts";
import { forgetAgent, noteAgent } from "./running-agents.ts";

type Door = typeof HookInstall;
/** Everything that the arguments of an agent are made from. */
type Session = { context: Context; door: Door; program: string; project: string; parts: Parts; gate: Installed };

/** Hosts that HAP can start behind the gate, and how each gets its arguments. */
const LAUNCHERS = { claude: gatedClaude, codex: gatedCodex } as const;

/** The name of a host that `hap NAME` starts. */
export type Launched = keyof typeof LAUNCHERS;

/** Start the agent with the person's arguments. Returns only on Windows, and when it could not be started. */
export async function runAgent(context: Context, host: Launched, given: readonly string[]): Promise<void> {
  refuseAgent(context, "start agents behind the gate");
  refuseServer(context, host);
  const door = await import("@hap/door-hook/install");
  const { title, agent } = door.HOSTS[host];
  const program = findProgram(host, context.env);
  if (program === null)
    throw new HapError(
      "invalid_input",
      `There is no program ${host} on your PATH. Install ${title} first, then run this again.`,
      {
        program: host,
      },
    );
  const parts = findParts(context);
  const project = findProject(context.cwd, context.home) ?? context.cwd;
  const session = { context, door, program, project, parts, gate: gateOf(context, door, host, parts, project, {}) };
  const args = await LAUNCHERS[host](session, given);
  noteAgent(parts.store, process.pid);
  try {
    const inbox = await ensureInbox(context, parts.store, parts.hap);
    if (context.err.isTerminal) {
      const { paint } = styleOf(context);
      context.err.line(`${paint.bold("HAP")} asks you at ${inbox.url} (\`hap login --link\` signs you in) and in \`hap tui\`.`);
    }
    // The agent's own commands act as the agent: what decides refuses them.
    context.exitCode = await become(program, args, { ...context.env, HAP_AGENT_ID: agent });
  } finally {
    forgetAgent(parts.store, process.pid);
  }
}

/** A key on a command line can be read by every user of the machine. */
function refuseServer({ env }: Context, host: Host): void {
  if (!env.HAP_URL) return;
  throw new HapError(
    "invalid_input",
    `HAP_URL is set, and \`hap ${host}\` works with the inbox of this machine. Run \`hap init ${host}\` for a server, or unset HAP_URL.`,
    { field: "HAP_URL" },
  );
}

function gatedClaude({ context, door, project, parts, gate }: Session, given: readonly string[]): string[] {
  for (const name of UNGATED_VARIABLES)
    if (context.env[name])
      throw new HapError("invalid_input", `${name} is set, and Claude Code runs no hooks then. Unset it.`, { field: name });
  const installed = installedCommands(door, { home: context.home, project, platform: process.platform });
  return claudeArguments(door, gate, mcpServerOf(context, door, "claude", parts), given, installed);
}

/** Commands of a gate that is in a settings file already, by event. The same command counts once, so nobody is asked twice. */
function installedCommands(door: Door, places: HookInstall.Places): ReadonlyMap<string, string> {
  const found = door
    .settingsFiles("claude", places)
    .flatMap(({ path }) =>
      door.findHooks(readIfThere(path), path).map(({ event, handler }) => [event, String(handler.command)] as const),
    );
  const gate = found.find(([event]) => event === "PreToolUse")?.[1];
  return gate !== undefined && door.readCommand(gate) !== null ? new Map(found) : new Map();
}

async function gatedCodex({ context, door, program, parts, gate }: Session, given: readonly string[]): Promise<string[]> {
  refuseUngated(given);
  const env = { ...context.env };
  const server = serverOverrides(mcpServerOf(context, door, "codex", parts));
  const hooks = ["-c", "features.hooks=true", ...hookOverrides(door, gate)];
  const [listed, apart] = await Promise.all([
    listCodexHooks(program, hooks, context.cwd, env),
    takesOption(program, "--no-daemon", env),
  ]);
  const ours = listed.filter(({ source }) => source === "sessionFlags");
  const trusted = await listCodexHooks(program, [...hooks, ...trustOverrides(ours)], context.cwd, env);
  const armed = (event: string) =>
    trusted.some(
      ({ source, eventName, enabled, trustStatus }) =>
        source === "sessionFlags" && eventName === event && enabled && trustStatus === "trusted",
    );
  if (!armed("preToolUse") || !armed("permissionRequest"))
    throw new HapError(
      "store_unusable",
      "Codex would not run the gate's hooks, so it was not started. An administrator may allow managed hooks only; `codex --version` tells whether yours is older than 0.166.",
      {},
    );
  const others = listed.some(
    ({ source, command, enabled, trustStatus }) =>
      source !== "sessionFlags" && enabled && ["trusted", "managed"].includes(trustStatus) && command?.includes("hap-hook"),
  );
  // A gate that is in its settings already, trusted, asks by itself: a second one would ask again.
  const gated = others ? ["-c", "features.hooks=true"] : [...hooks, ...trustOverrides(ours)];
  return [...gated, ...server, ...(apart ? ["--no-daemon"] : []), ...given];
}
