// A language server as a process: how it is started, in the sandbox of commands when there is one, and whether it can be at all.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, extname, isAbsolute, join, resolve } from "node:path";
import type { CommandSandbox } from "@hap/sandbox";
import type { LspServer } from "./lsp-config.ts";

export type ServerPlace = {
  cwd: string;
  /** What commands see; the keys of model providers are not among it. */
  env: NodeJS.ProcessEnv;
  sandbox: CommandSandbox | null;
};

type Start = { file: string; args: string[]; env: NodeJS.ProcessEnv };

function startOf(server: Pick<LspServer, "command" | "args" | "env">, { cwd, env, sandbox }: ServerPlace): Start {
  if (sandbox === null) return { file: server.command, args: server.args, env: { ...env, ...server.env } };
  const { file, args, environment } = sandbox.wrap(server.command, server.args, cwd, env);
  return { file, args, env: { ...environment, ...server.env } };
}

/** Start it, as the leader of a group of its own. */
export function startServer(server: LspServer, place: ServerPlace): ChildProcessWithoutNullStreams {
  const { file, args, env } = startOf(server, place);
  const { spawn } = process.getBuiltinModule("node:child_process");
  return spawn(file, args, { cwd: place.cwd, env, detached: process.platform !== "win32", windowsHide: true, stdio: "pipe" });
}

/** True when the program is there, seen from where it would run. */
export function programExists(server: LspServer, place: ServerPlace): boolean {
  if (place.sandbox === null) return findProgram(server.command, { ...place.env, ...server.env }, place.cwd);
  const asked = { ...server, command: "/bin/sh", args: ["-c", 'command -v -- "$1"', "sh", server.command] };
  const { file, args, env } = startOf(asked, place);
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  return spawnSync(file, args, { cwd: place.cwd, env, stdio: "ignore", timeout: 10_000 }).status === 0;
}

function findProgram(command: string, env: NodeJS.ProcessEnv, cwd: string): boolean {
  if (isAbsolute(command) || /[\\/]/.test(command)) return isProgram(resolve(cwd, command));
  const endings = process.platform === "win32" && extname(command) === "" ? (env.PATHEXT ?? ".EXE;.CMD").split(";") : [""];
  return (env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .some((folder) => endings.some((ending) => isProgram(join(folder, command + ending))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
