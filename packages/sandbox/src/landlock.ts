// Commands under Landlock, where bubblewrap cannot make namespaces: the same allow-list of paths (D30), the workspace writable, no
// sockets of the host, no network unless it is asked for. Weaker in two ways: what exists elsewhere can be seen to exist, and
// /tmp is not there at all, so that HOME and TMPDIR are a folder of the sandbox's own.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareEnvironment, type CommandSandbox, type WritableRoots } from "./command-sandbox.ts";
import { hostFolders } from "./host-folders.ts";
import { LANDLOCK_PROGRAM, type LandlockPlan } from "./landlock-program.ts";

const DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/** What of /proc says nothing about anybody's processes. */
const PROC = ["cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version"].map((name) => `/proc/${name}`);

function planFor(write: readonly string[], network: boolean): LandlockPlan {
  const { bind } = hostFolders(network);
  // A process's own folder in /proc: of the shell, not of what it starts.
  return { read: [...bind, ...PROC.filter(existsSync), "/proc/self"], write, devices: DEVICES.filter(existsSync), network };
}

/** Python's arguments for a command under a plan. */
function landlockArguments(plan: LandlockPlan, command: readonly string[]): string[] {
  return ["-I", "-S", "-c", LANDLOCK_PROGRAM, JSON.stringify(plan), ...command];
}

/** True when this kernel has Landlock, and the system has a python3 to enter it. */
export function landlockWorks(platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== "linux") return false;
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const tried = spawnSync("python3", landlockArguments(planFor([], false), ["/bin/true"]), {
    // As in the sandbox: the system's own python3, not one that a shim finds.
    env: bareEnvironment({}),
    stdio: "ignore",
    timeout: 10_000,
  });
  return tried.status === 0;
}

/** A sandbox over the workspace's folders. */
export function landlock(workspace: WritableRoots, { network }: { network: boolean }): CommandSandbox {
  let own: string | undefined;
  const ownFolder = () => {
    if (own !== undefined) return own;
    const made = mkdtempSync(join(tmpdir(), "hap-sandbox-"));
    for (const name of ["home", "tmp"]) mkdirSync(join(made, name));
    own = made;
    return made;
  };
  return {
    wrap(file, args, _cwd, env) {
      const folder = ownFolder();
      return {
        file: "python3",
        args: landlockArguments(planFor([...workspace.roots, folder], network), [file, ...args]),
        environment: {
          ...bareEnvironment(env),
          HOME: join(folder, "home"),
          TMPDIR: join(folder, "tmp"),
          // It is there to be seen, but not to be read, which git would tell with every command.
          GIT_CONFIG_NOSYSTEM: "1",
        },
      };
    },
    close() {
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
      own = undefined;
    },
  };
}
