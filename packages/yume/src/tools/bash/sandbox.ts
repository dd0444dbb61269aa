// Commands in bubblewrap (D30): an allow-list of mounts, the workspace writable, no home, no /run, no sockets of the host, no
// network unless it is asked for, an environment of named variables, namespaces of its own; ends with its parent.
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { bubblewrapArguments, type Look, SANDBOX_HOME, SANDBOX_PATH, systemFolders } from "@hap/shell/sandbox";
import type { Workspace } from "../../permissions/workspace.ts";

type Wrapped = { file: string; args: string[]; environment: NodeJS.ProcessEnv };
export type CommandSandbox = {
  wrap(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Wrapped;
  /** Nothing runs in it any more: take away what it left on the disk. */
  close(): void;
};

const KEPT = ["LANG", "LC_ALL", "TERM", "TZ"];

/** True when bubblewrap can make a sandbox on this machine. */
export function bubblewrapWorks(): boolean {
  if (process.platform !== "linux") return false;
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const tried = spawnSync(
    "bwrap",
    ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--", "/bin/true"],
    { stdio: "ignore", timeout: 10_000 },
  );
  return tried.status === 0;
}

/** A sandbox over the workspace's folders. */
export function bubblewrap(workspace: Workspace, { network }: { network: boolean }): CommandSandbox {
  return {
    wrap(file, args, cwd, env) {
      const plan = {
        system: systemFolders(network, lookAt),
        mounts: workspace.roots.map((root) => ({ host: root, inside: root, writable: true })),
        network,
        hostname: "yume",
        cwd,
        newSession: true,
      };
      return {
        file: "bwrap",
        args: [...bubblewrapArguments(plan), file, ...args],
        environment: { ...bareEnvironment(env), HOME: SANDBOX_HOME },
      };
    },
    // What it makes lies in memory.
    close() {},
  };
}

/** The variables that a command in a sandbox sees, but for those of its folders. */
export function bareEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  return { ...kept, PATH: SANDBOX_PATH, PAGER: "cat", GIT_PAGER: "cat" };
}

export const lookAt: Look = (path) =>
  existsSync(path) ? { link: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null } : null;
