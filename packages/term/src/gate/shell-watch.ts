// What this machine shows of a command before it runs, for grants (D43): effects with links followed, and whether its programs are the
// system's own. It only ever narrows. The shell is the agent's and lasts: once a command could have changed what words mean in it,
// nothing in it is trusted any more. Inside a container the agent may replace any program, so nothing is trusted there.
import { posix } from "node:path";
import type { SeenCall } from "@hap/protocol";
import { SANDBOX_HOME, SANDBOX_PATH } from "@hap/sandbox";
import { classifyCommand, singleCommands } from "@hap/shell";
import { nodeDisk } from "@hap/shell/disk";
import { type Disk, type ShellContext, usesSystemPrograms } from "@hap/shell/proof";
import type { Mount, SandboxKind } from "../sandbox/sandbox.ts";

/** Builtins that leave the shell as it was, but for its folder. All others may change what later words mean. */
const LEAVE_SHELL_ALONE: ReadonlySet<string> = new Set(["cd", "echo", "pwd", "true", "false", "test", "[", ":"]);
const BUILTINS: ReadonlySet<string> = new Set(
  ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
);
/** Variables of a task that change which program a name starts. */
const CHANGES_PROGRAMS = /^(?:PATH|BASH_ENV|ENV|LD_.*|BASH_FUNC.*)$/;
/** Folders that a sandbox shows as they are on the host, read-only. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"];

export type Seen = Pick<SeenCall, "effects" | "paths" | "trusted">;

export type ShellWatch = {
  /** What is seen of a command now. */
  see: (command: string, cwd: string, root: string) => Seen;
  /** A command ran; null for keys that were typed. */
  ran: (command: string | null) => void;
};

/** Watch the shell of one trial. */
export function watchShell(kind: SandboxKind, mounts: readonly Mount[], env: Readonly<Record<string, string>>): ShellWatch {
  const container = kind === "docker" || kind === "podman";
  let pristine = !container && !Object.keys(env).some((name) => CHANGES_PROGRAMS.test(name));
  const contextOf = (cwd: string, root: string): ShellContext => {
    const place = { cwd, projectRoot: root, dialect: "bash" as const };
    if (container) return place;
    if (kind === "none") return { ...place, home: process.env.HOME ?? "/", disk: nodeDisk(process.env.PATH ?? SANDBOX_PATH) };
    return { ...place, home: SANDBOX_HOME, disk: sandboxDisk(mounts) };
  };
  return {
    see: (command, cwd, root) => {
      const context = contextOf(cwd, root);
      return {
        effects: classifyCommand(command, context).effects,
        paths: [],
        trusted: pristine && usesSystemPrograms(command, context),
      };
    },
    ran: (command) => {
      pristine &&= command !== null && leavesShellAlone(command);
    },
  };
}

function leavesShellAlone(command: string): boolean {
  const single = singleCommands(command);
  return (
    single?.commands.every(
      ([program = ""]) => !program.includes("=") && (!BUILTINS.has(program) || LEAVE_SHELL_ALONE.has(program)),
    ) ?? false
  );
}

/** The disk as programs in the sandbox see it; what lies in memory there cannot be told. */
function sandboxDisk(mounts: readonly Mount[]): Disk {
  const host = nodeDisk(SANDBOX_PATH);
  const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const onHost = (given: string): string | null => {
    const path = posix.normalize(given);
    const [mount] = mounts.filter(({ inside }) => isWithin(path, inside)).sort((a, b) => b.inside.length - a.inside.length);
    if (mount !== undefined) return mount.host + path.slice(mount.inside.length);
    return SYSTEM.some((folder) => isWithin(path, folder)) ? path : null;
  };
  const isAbove = (path: string) => mounts.some(({ inside }) => path === "/" || isWithin(inside, path));
  return {
    path: host.path,
    look: (path) => {
      const there = onHost(path);
      if (there !== null) return host.look(there);
      return isAbove(path) ? { kind: "folder", id: `sandbox:${path}`, names: 1, executable: true } : undefined;
    },
    list: (path) => {
      const there = onHost(path);
      return there === null ? undefined : host.list(there);
    },
    read: (path) => {
      const there = onHost(path);
      return there === null ? undefined : host.read(there);
    },
  };
}
