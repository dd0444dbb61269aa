// bubblewrap: an allow-list of mounts, namespaces of its own for everything, no capabilities, dies with its parent (D30).
// The pseudo-terminal gives it a session of its own; it shares no terminal with the caller.
import { makeCgroup } from "./cgroup.ts";
import { CONTROL_INSIDE, executeInNamespaces } from "./join-namespaces.ts";
import { mapPath, type Sandbox, type SandboxSpec, SYSTEM_PATH, shellEnvironment } from "./sandbox.ts";
import { systemFolders } from "./system-folders.ts";

/** HOME inside: an empty folder in memory. */
export const HOME_INSIDE = "/home/agent";

/** Make a bubblewrap sandbox. */
export function bwrapSandbox(spec: SandboxSpec): Sandbox {
  const env = shellEnvironment(spec, SYSTEM_PATH, HOME_INSIDE);
  const cwd = mapPath(spec.mounts, spec.cwd);
  const cgroup = makeCgroup(`hap-term-${spec.mark}`, spec);
  const join = cgroup === null ? "" : `${cgroup.procs.map((file) => `echo $$ > ${file}`).join(" && ")} && `;
  return {
    kind: "bwrap",
    limits: cgroup === null ? "absent" : "cgroup",
    launch: {
      file: "/bin/sh",
      args: ["-c", `${join}exec "$@"`, "sh", "bwrap", ...bwrapArguments(spec, cwd), "/bin/sh", `${CONTROL_INSIDE}/init`],
      env,
      hostCwd: "/",
      control: { host: spec.control, inside: CONTROL_INSIDE },
      cwd,
    },
    inside: (host) => mapPath(spec.mounts, host),
    execute: (execution, shellPid) => executeInNamespaces(execution, shellPid, env),
    close: async () => cgroup?.remove(),
  };
}

/** The allow-list as arguments. */
function bwrapArguments(spec: SandboxSpec, cwd: string): string[] {
  const { bind, links } = systemFolders(spec.network);
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(spec.network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--cap-drop", "ALL", "--hostname", "term"],
    ...bind.flatMap((path) => ["--ro-bind", path, path]),
    ...links.flatMap(({ path, target }) => ["--symlink", target, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", HOME_INSIDE, "--dir", "/run"],
    ...["--ro-bind", spec.control, CONTROL_INSIDE],
    ...spec.mounts.flatMap(({ host, inside, writable }) => [writable ? "--bind" : "--ro-bind", host, inside]),
    ...["--remount-ro", "/", "--chdir", cwd, "--"],
  ];
}
