// Commands in bubblewrap (D30): an allow-list of mounts, the workspace writable, no home, no /run, no sockets of the host, no
// network unless it is asked for, an environment of named variables, namespaces of its own; ends with its parent.
import { SANDBOX_HOME, SANDBOX_PATH } from "./allow-list.ts";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import { withoutDescriptors } from "./close-others.ts";
import { hostFolders } from "./host-folders.ts";

/** Folders that commands may write. */
export type WritableRoots = { readonly roots: readonly string[] };
type Wrapped = { file: string; args: string[]; environment: NodeJS.ProcessEnv };
export type CommandSandbox = {
  wrap(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Wrapped;
  /** Nothing runs in it any more: take away what it left on the disk. */
  close(): void;
};

/** Paths below the writable roots that commands cannot see, or cannot change. */
export type GuardedPaths = {
  hidden: readonly { path: string; folder: boolean }[];
  readOnly: readonly { path: string }[];
};

/** The descriptor through which a shell tells its folder. */
const TELLS = 3;
const KEPT = ["LANG", "LC_ALL", "TERM", "TZ"];

/** True when bubblewrap can make a sandbox on this machine. */
export function bubblewrapWorks(platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== "linux") return false;
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const tried = spawnSync(
    "bwrap",
    ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--", "bash", "-c", "true"],
    { stdio: "ignore", timeout: 10_000 },
  );
  return tried.status === 0;
}

/** A sandbox over the workspace's folders. `guarded` is asked before each command, since files come and go. */
export function bubblewrap(
  workspace: WritableRoots,
  { network, guarded = () => ({ hidden: [], readOnly: [] }) }: { network: boolean; guarded?: () => GuardedPaths },
): CommandSandbox {
  return {
    wrap(file, args, cwd, env) {
      const { hidden, readOnly } = guarded();
      const plan = {
        system: hostFolders(network),
        mounts: [
          ...workspace.roots.map((root) => ({ host: root, inside: root, writable: true })),
          ...readOnly.map(({ path }) => ({ host: path, inside: path, writable: false })),
        ],
        hidden,
        network,
        hostname: "sandbox",
        cwd,
        newSession: true,
      };
      const [program, ...words] = withoutDescriptors(["bwrap", ...bubblewrapArguments(plan), file, ...args], TELLS);
      return {
        file: program,
        args: words,
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
