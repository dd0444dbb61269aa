// Runs commands that are not proven harmless confined, instead of asking (D30, D33). Where HAP confines, the hook changes the input
// and decides nothing; the host then asks for permission, and gets it for exactly that input.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isActive, makeSessionFolder, tryConfinement } from "@hap/sandbox";
import { sessionKey } from "@hap/sandbox/session-key";
import type { Answer } from "../answer.ts";
import type { DescribedCall } from "../describe-call.ts";
import { firstFolder } from "../first-folder.ts";
import type { ConfinedByHap } from "../hosts/hook-host.ts";
import { HOSTS } from "../hosts.ts";
import type { HookOptions } from "../options.ts";
import { confineMode } from "../policy-files.ts";
import type { HookEvent } from "../read-event.ts";
import { hostArguments } from "./host-arguments.ts";
import { matchingRule } from "./host-rules.ts";
import { issue } from "./issued.ts";
import { otherHooks } from "./other-hooks.ts";
import { hasNamespaces } from "./session-state.ts";
import { wrapCommand } from "./wrapper.ts";

/** A call that is not proven harmless, and its surroundings. */
export type Confining = {
  event: HookEvent;
  options: HookOptions;
  described: DescribedCall;
  home: string;
  own: readonly string[];
  /** The folder that the host was started in, where it says so. */
  hostProject: string | null;
};

/** The answer, or null where a person has to be asked. */
export function confineCall(confining: Confining): Answer | null {
  const { event, options, described, home } = confining;
  const { command, project } = described.call;
  if (command === null || event.name !== "PreToolUse") return null;
  const { confinement } = HOSTS[options.host];
  switch (confinement.by) {
    case "none":
      return null;
    case "host":
      return confinement.holds({ mode: event.mode, input: described.input, project, home }) ? { decision: "none" } : null;
    case "hap":
      return project === null ? null : rewriteCall(confining, confinement, command, project);
  }
}

function rewriteCall(confining: Confining, rewrites: ConfinedByHap, command: string, project: string): Answer | null {
  const { event, options, described, home } = confining;
  const { session } = event;
  if (session === null || described.tool !== rewrites.tool || options.hap === null) return null;
  if (rewrites.optsOut(described.input)) return null;
  const mode = confineMode(home, project);
  if (mode === null || mode === "off") return null;
  const words = hostArguments(process.ppid);
  const sources = rewrites.readSettings({
    home,
    project,
    cwd: event.cwd,
    platform: process.platform,
    hostArguments: words ?? [],
  });
  if (words === null || matchingRule(command, sources) !== null) return null;
  // HAP's sandbox cannot start inside another.
  if (rewrites.hasOwnSandbox(sources)) return null;
  if (!createSettingsFolder(confining, project, rewrites.settingsFolder)) return null;
  if (!hasNamespaces(home, session)) {
    const found = tryConfinement(undefined, { home });
    if (found.kind === null)
      return mode === "require"
        ? {
            decision: "deny",
            reason: `The policy requires that this runs confined, which does not work here: ${found.why} ${found.fix}`,
          }
        : null;
  }
  const updatedInput = { ...described.input, command: prepare(confining, session, project, command) };
  // Where the host asks no hook for permission, the command of another hook would run in place of ours.
  const unasked =
    event.mode === "auto" ||
    event.mode === "bypassPermissions" ||
    matchingRule(updatedInput.command, sources, ["allow"]) !== null;
  if (unasked && otherHooks(sources).length > 0) return null;
  if (event.mode === "auto") return { decision: "allow", reason: "It runs confined.", updatedInput };
  issue(home, session, updatedInput);
  return { decision: "none", updatedInput };
}

/**
 * Create the empty settings folder, since only an existing folder can be mounted read-only. A host reloads its settings while it
 * runs, so a confined command that creates them could switch the hooks off. False if the folder cannot be created.
 */
function createSettingsFolder({ event, hostProject }: Confining, project: string, name: string): boolean {
  const began = hostProject ?? firstFolder(event.raw) ?? project;
  const folders = new Set([project, ...(began.startsWith(`${project}/`) ? [began] : [])]);
  try {
    for (const folder of folders) mkdirSync(join(folder, name), { recursive: true });
    return true;
  } catch {
    return false;
  }
}

/** Write the session file that `hap run` reads, and return the wrapped command. */
function prepare({ options, home, own }: Confining, session: string, project: string, command: string): string {
  const key = sessionKey(session);
  const folder = makeSessionFolder(home, key);
  const told = { agent: options.agent ?? HOSTS[options.host].agent, store: options.store, to: options.to, own };
  writeFileSync(join(folder, "session.json"), JSON.stringify(told), { mode: 0o600 });
  const hap = options.hap as string;
  return wrapCommand(command, { node: process.execPath, hap, session: key, project, cwdFile: join(folder, "cwd") });
}

/** True while a confined command, or a process that one left running, could change what a proof has looked at. */
export function isRacing({ home, event }: Pick<Confining, "home" | "event">): boolean {
  return event.session !== null && isActive(home, sessionKey(event.session));
}
