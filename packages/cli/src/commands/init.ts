// hap init: the hook and the MCP server into a host's settings, shown first, idempotent, and out again with --remove.
import type * as HookInstall from "@hap/door-hook/install";
import type { Host, Scope } from "@hap/door-hook/install";
import { HapError, showInvisible } from "@hap/protocol";
import { findProject } from "@hap/sdk/project";
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { applyChange, type FileChange, readIfThere } from "../install/change-file.ts";
import { type GateOptions, gateOf, mcpServerOf } from "../install/gate-parts.ts";
import { findParts } from "../install/installation.ts";
import { examples } from "../program.ts";
import { diffTint } from "../show/diff-tint.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";

type Options = GateOptions & {
  user?: true;
  managed?: true;
  remove?: true;
  yes?: true;
  dryRun?: true;
  mcp: boolean;
};
type Door = typeof HookInstall;

export async function define(command: Command, context: Context): Promise<void> {
  const { HOST_NAMES } = await import("@hap/door-hook/install");
  command
    .description(
      "Put the gate into a host's settings: the hook, which every call of a tool then passes, and the MCP server. The change is\nshown first; doing it again changes nothing; --remove takes it out. `hap doctor` proves that the gate is armed.",
    )
    .argument("<HOST>", HOST_NAMES)
    .option("--user", "for every project of yours, instead of this project")
    .option("--managed", "in the managed settings, which need root and which an agent cannot change (Claude Code)")
    .option("--remove", "take everything of HAP out again")
    .option("--yes", "do not ask")
    .option("--dry-run", "show the change and write nothing")
    .option("--no-mcp", "only the hook, not the MCP server")
    .option("--to <PERSON>", "whom to ask (default: HAP_HUMAN_ID, else you)")
    .option("--wait <TIME>", "how long a call may wait for a person (default: 590s)")
    .option("--ttl <TIME>", "how long a ticket lives when nobody looks at it (default: 300s)")
    .option("--run", "let HAP run approved commands: they come back as `hap run tk_...`")
    .addHelpText("after", examples("hap init claude", "hap init codex --user", "hap init claude --remove"))
    .action((host: string, options: Options) => init(context, host, options));
}

async function init(context: Context, host: string, options: Options): Promise<void> {
  refuseAgent(context, "change the gate");
  const door = await import("@hap/door-hook/install");
  if (!door.isHost(host))
    throw new HapError("invalid_input", `The host is ${JSON.stringify(host)}; it must be ${door.HOST_NAMES}.`, { field: "HOST" });
  const scope: Scope = options.managed ? "managed" : options.user ? "user" : "project";
  const changes = planned(context, door, host, scope, options).filter(({ before, after }) => before !== after);
  if (!context.json) showChanges(context, door, changes);
  if (changes.length > 0 && !options.dryRun) {
    if (!options.yes) await consent(context);
    for (const change of changes) applyChange(change);
  }
  const written = changes.length > 0 && !options.dryRun;
  if (context.json) return printJson(context, { host, scope, written, changes });
  for (const line of closingLines(door, host, scope, options, changes)) context.out.line(line);
}

function planned(context: Context, door: Door, host: Host, scope: Scope, options: Options): FileChange[] {
  const project = findProject(context.cwd, context.home) ?? context.cwd;
  const places = { home: context.home, project, platform: process.platform };
  const path = door.settingsFile(host, scope, places);
  const { managedByAdministrator, title } = door.HOSTS[host];
  if (scope === "managed" && managedByAdministrator !== null)
    throw new HapError("invalid_input", managedByAdministrator, { field: "--managed" });
  if (path === null) throw new HapError("invalid_input", `${title} has no ${scope} settings for hooks.`, { field: "HOST" });
  const mcpPath = options.mcp ? door.mcpFile(host, scope, places) : null;
  const before = readIfThere(path);
  const mcpBefore = mcpPath === null ? null : readIfThere(mcpPath);
  if (options.remove) {
    const hooks = { path, before, after: before === null ? null : door.withoutHooks(before, path) };
    return mcpPath === null || mcpBefore === null
      ? [hooks]
      : [hooks, { path: mcpPath, before: mcpBefore, after: door.withoutServer(mcpPath, mcpBefore) }];
  }
  const parts = findParts(context);
  const hooks = {
    path,
    before,
    after: door.withHooks(before, path, gateOf(context, door, host, parts, scope === "project" ? project : null, options)),
  };
  if (mcpPath === null) return [hooks];
  const server = mcpServerOf(context, door, host, parts);
  return [hooks, { path: mcpPath, before: mcpBefore, after: door.withServer(mcpPath, mcpBefore, server) }];
}

function showChanges(context: Context, door: Door, changes: readonly FileChange[]): void {
  const tint = diffTint(styleOf(context).paint);
  for (const { path, before, after } of changes) {
    const diff = door.unifiedDiff(path.replace(/^\//, ""), before, after ?? "");
    for (const line of diff.trimEnd().split("\n")) context.out.line(tint(line)(showInvisible(line)));
    if (after === null) context.out.line(`${path} is removed: nothing else is in it.`);
    context.out.line();
  }
}

async function consent(context: Context): Promise<void> {
  const { askConsent } = await import("../terminal/ask-consent.ts");
  await askConsent(context, "Write this?", "Nothing was changed.");
}

function closingLines(door: Door, host: Host, scope: Scope, options: Options, changes: readonly FileChange[]): string[] {
  const { title, afterInstall } = door.HOSTS[host];
  if (options.dryRun) return [changes.length === 0 ? "Nothing would change." : "Nothing was written."];
  if (options.remove)
    return [
      changes.length === 0
        ? `There is nothing of HAP in the settings of ${title} here.`
        : `The gate is out of the settings of ${title}.`,
    ];
  const lines = [
    changes.length === 0
      ? `Nothing to change: the gate is in the settings of ${title}.`
      : `The gate is in the settings of ${title}.`,
  ];
  if (afterInstall !== null) lines.push(afterInstall);
  if (scope !== "managed")
    lines.push("It is advisory: whoever acts as you can change these settings. docs/ says how to enforce it.");
  lines.push("Start a new session, then run `hap doctor`.");
  return lines;
}
