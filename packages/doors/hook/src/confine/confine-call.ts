// What is not proven runs confined instead of being asked about (D30, D33). For Claude Code the input is changed and nothing is
// decided; the host then asks for permission, and gets it for exactly that input. Codex is never rewritten: its own sandbox confines.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findHostProcess, isActive, makeSessionFolder, tryConfinement } from "@hap/sandbox";
import { sessionKey } from "@hap/sandbox/session-key";
import type { Answer } from "../answer.ts";
import type { DescribedCall } from "../describe-call.ts";
import { firstFolder } from "../first-folder.ts";
import { HOSTS } from "../hosts.ts";
import type { HookOptions } from "../options.ts";
import { confineMode } from "../policy-files.ts";
import type { HookEvent } from "../read-event.ts";
import { codexSandbox } from "./codex-sandbox.ts";
import { argumentsOf, hostArguments } from "./host-arguments.ts";
import { matchingRule } from "./host-rules.ts";
import { readHostSettings } from "./host-settings.ts";
import { issue } from "./issued.ts";
import { otherHooks } from "./other-hooks.ts";
import { hasNamespaces } from "./session-state.ts";
import { wrapCommand } from "./wrapper.ts";

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
  if (HOSTS[options.host].confinesItself) return codexConfines(confining) ? { decision: "none" } : null;
  const { session } = event;
  if (session === null || project === null || described.tool !== "Bash" || options.hap === null) return null;
  if (described.input.dangerouslyDisableSandbox === true) return null;
  const mode = confineMode(home, project);
  if (mode === null || mode === "off") return null;
  const words = hostArguments(process.ppid);
  const sources = readHostSettings({
    home,
    project,
    cwd: event.cwd,
    platform: process.platform,
    hostArguments: words ?? [],
  });
  if (words === null || matchingRule(command, sources) !== null) return null;
  // Ours cannot start inside another.
  if (sources.some(({ settings }) => (settings?.sandbox as { enabled?: unknown } | undefined)?.enabled === true)) return null;
  if (!holdSettings(confining, project)) return null;
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
 * A host reads its settings again while it runs, so settings that a command makes could switch the hooks off before they are found.
 * Only what exists can be mounted read-only: the folder of settings is made first, empty. False where that does not work.
 */
function holdSettings({ event, hostProject }: Confining, project: string): boolean {
  const began = hostProject ?? firstFolder(event.raw) ?? project;
  const folders = new Set([project, ...(began.startsWith(`${project}/`) ? [began] : [])]);
  try {
    for (const folder of folders) mkdirSync(join(folder, ".claude"), { recursive: true });
    return true;
  } catch {
    return false;
  }
}

/** Leave for `hap run` what it needs to know, and put the wrapper together. */
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

/** True while Codex's own sandbox holds the command, and no way around it is asked for. */
function codexConfines({ event, described, home }: Confining): boolean {
  if (event.mode === "bypassPermissions") return false;
  const { input } = described;
  if (input.with_escalated_permissions === true) return false;
  if (input.sandbox_permissions !== undefined && input.sandbox_permissions !== "use_default") return false;
  const files = [described.call.project, home].flatMap((folder) =>
    folder === null ? [] : [join(folder, ".codex", "config.toml")],
  );
  const configs = ["/etc/codex/managed_config.toml", ...files].map(readText);
  const host = findHostProcess(process.ppid);
  // What is known of the sandbox comes from its own command line.
  const words = host !== null && /codex/.test(programOf(host.pid)) ? argumentsOf(host.pid) : null;
  return codexSandbox(words, configs) === "on";
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
}
