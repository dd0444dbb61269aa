// Codex.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findHostProcess } from "@hap/sandbox/host-process";
import { codexSandbox } from "../confine/codex-sandbox.ts";
import { argumentsOf } from "../confine/host-arguments.ts";
import { isObject, type JsonObject } from "../read-event.ts";
import type { Finding, HookHost, Places, SandboxedCall, TranscriptCall } from "./hook-host.ts";
import { absoluteFolder } from "./transcript-folder.ts";

/** Codex as a host of hooks. It lets a call through when a hook fails, and rejects answers with fields that it does not know. */
export const codex: HookHost = {
  title: "Codex",
  agent: "agent:codex",
  settingsFiles: ({ home, project }) => [
    { scope: "managed", path: "/etc/codex/requirements.toml" },
    { scope: "user", path: join(home, ".codex", "hooks.json") },
    { scope: "project", path: join(project, ".codex", "hooks.json") },
  ],
  mcpFile: (scope, { home, project }) => (scope === "managed" ? null : configFile(scope === "user" ? home : project)),
  managedByAdministrator:
    "Codex takes managed hooks from requirements.toml, which an administrator writes: docs/codex.md shows how.",
  events: { decide: ["PreToolUse", "PermissionRequest"], tell: ["Stop", "SessionStart"] },
  onFailure: null,
  matchesTools: false,
  statesYes: false,
  editsPermissions: false,
  asksForItself: false,
  confinement: { by: "host", holds: sandboxHolds, inspect: inspectSandbox },
  refersToVariables: false,
  findDisarming: ({ text, path }) =>
    path.endsWith("config.toml") && /^\s*(?:hooks|codex_hooks)\s*=\s*false/m.test(text)
      ? [{ id: "disarmed", status: "fail", text: `${path} switches hooks off.` }]
      : [],
  otherFiles: ({ home, project }) => [configFile(home), configFile(project)],
  minVersion: null,
  transcripts: {
    folder: (home, env) => join(env.CODEX_HOME || join(home, ".codex"), "sessions"),
    reader: transcriptReader,
  },
  afterInstall: "Codex runs it once you have trusted it: open /hooks there.",
};

function configFile(folder: string): string {
  return join(folder, ".codex", "config.toml");
}

/** Configuration files that can set the sandbox, the strongest first. */
function readConfigs(folders: readonly string[]): string[] {
  return ["/etc/codex/managed_config.toml", ...folders.map(configFile)].map(readText);
}

/** True while Codex's own sandbox holds the command, and the call does not ask for a way around it. */
function sandboxHolds({ mode, input, project, home }: SandboxedCall): boolean {
  if (mode === "bypassPermissions") return false;
  if (input.with_escalated_permissions === true) return false;
  if (input.sandbox_permissions !== undefined && input.sandbox_permissions !== "use_default") return false;
  const host = findHostProcess(process.ppid);
  // The sandbox can also be set on Codex's own command line.
  const words = host !== null && /codex/.test(readText(`/proc/${host.pid}/comm`)) ? argumentsOf(host.pid) : null;
  return codexSandbox(words, readConfigs(project === null ? [home] : [project, home])) === "on";
}

function inspectSandbox({ home, project }: Pick<Places, "home" | "project">): Finding {
  const sandbox = codexSandbox([], readConfigs([project, home]));
  if (sandbox === "on")
    return {
      id: "confinement",
      status: "ok",
      text: "Codex's own sandbox holds what is not proven, unless it is started with danger-full-access; then it asks.",
    };
  const why =
    sandbox === "off"
      ? "Its configuration says danger-full-access"
      : "Its configuration names a profile, whose sandbox is not known here";
  return {
    id: "confinement",
    status: "warn",
    text: `${why}: Codex confines nothing that HAP knows of, and what is not proven asks.`,
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Calls are in `function_call`, `local_shell_call` and `custom_tool_call`; earlier entries set their folder. */
function transcriptReader(): (entry: JsonObject) => TranscriptCall[] {
  let current = "/";
  return (entry) => {
    const payload = isObject(entry.payload) ? entry.payload : entry;
    if (entry.type === "session_meta" || entry.type === "turn_context") {
      current = absoluteFolder(payload.cwd ?? current);
      return [];
    }
    return callsIn(payload, current);
  };
}

function callsIn(payload: JsonObject, current: string): TranscriptCall[] {
  const id = String(payload.call_id ?? payload.id ?? "");
  if (payload.type === "local_shell_call" && isObject(payload.action)) {
    const { command, working_directory: cwd } = payload.action;
    return [{ id, tool: "Bash", input: { command: shellText(command) }, cwd: absoluteFolder(cwd ?? current) }];
  }
  if (payload.type === "custom_tool_call" && payload.name === "apply_patch")
    return [{ id, tool: "apply_patch", input: { command: String(payload.input) }, cwd: current }];
  if (payload.type !== "function_call" || typeof payload.name !== "string") return [];
  const given = typeof payload.arguments === "string" ? parseObject(payload.arguments) : null;
  if (given === null) return [];
  const cwd = absoluteFolder(given.workdir ?? current);
  const command = given.command ?? given.cmd;
  if (["shell", "shell_command", "exec_command", "container.exec"].includes(payload.name) && command !== undefined)
    return [{ id, tool: "Bash", input: { ...given, command: shellText(command) }, cwd }];
  if (payload.name === "apply_patch") return [{ id, tool: "apply_patch", input: { command: String(given.input ?? "") }, cwd }];
  return [{ id, tool: payload.name, input: given, cwd }];
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Codex records a shell and its script as a list of words; the gate is shown the script alone. */
function shellText(command: unknown): string {
  if (!Array.isArray(command)) return String(command);
  const words = command.map(String);
  const [shell = "", flag = "", script] = words;
  if (/(^|\/)(ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && script !== undefined && words.length === 3) return script;
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
