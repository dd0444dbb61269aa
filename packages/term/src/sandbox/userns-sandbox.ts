// User namespaces without bubblewrap: the same allow-list, built by a small script under `unshare`, which then gives up every
// capability, so that nothing inside can undo a mount.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostFolders, makeCgroup, SANDBOX_HOME, SANDBOX_PATH, withoutDescriptors } from "@hap/sandbox";
import { CONTROL_INSIDE, executeInNamespaces } from "./join-namespaces.ts";
import { mapPath, type Sandbox, type SandboxSpec, shellEnvironment } from "./sandbox.ts";

/** Make a sandbox from user namespaces. */
export function usernsSandbox(spec: SandboxSpec): Sandbox {
  const env = shellEnvironment(spec, SANDBOX_PATH, SANDBOX_HOME);
  const cwd = mapPath(spec.mounts, spec.cwd);
  const root = join(spec.base, "root");
  mkdirSync(root, { recursive: true });
  const script = join(spec.base, "enter");
  writeFileSync(script, enterScript(spec, root, cwd));
  const cgroup = makeCgroup(`hap-term-${spec.mark}`, spec);
  const enlist = cgroup === null ? "" : `${cgroup.procs.map((file) => `echo $$ > ${file}`).join(" && ")} && `;
  const namespaces = ["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--uts", ...(spec.network ? [] : ["--net"])];
  const enter = ["/bin/sh", "-c", `${enlist}exec "$@"`, "sh", "unshare", ...namespaces, "--fork", "--kill-child", "--"];
  const [file, ...args] = withoutDescriptors([...enter, "/bin/sh", script], null);
  return {
    kind: "userns",
    limits: cgroup === null ? "absent" : "cgroup",
    launch: {
      file,
      args,
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

function enterScript(spec: SandboxSpec, root: string, cwd: string): string {
  const { bind, links } = hostFolders(spec.network);
  const mount = (host: string, inside: string, writable: boolean) => {
    const target = quote(root + inside);
    const make = statSync(host).isDirectory() ? `mkdir -p ${target}` : `mkdir -p "$(dirname ${target})" && : > ${target}`;
    const lock = writable ? "" : ` && mount -o remount,bind,ro,nosuid,nodev ${target}`;
    return `${make} && mount --bind ${quote(host)} ${target}${lock}`;
  };
  const lines = [
    "set -e",
    "mount --make-rprivate /",
    `mount -t tmpfs -o mode=755 tmpfs ${quote(root)}`,
    ...bind.map((path) => mount(path, path, false)),
    ...links.map(({ path, target }) => `ln -s ${quote(target)} ${quote(root + path)}`),
    `cd ${quote(root)}`,
    `mkdir -p proc dev/pts dev/shm tmp var/tmp run .${SANDBOX_HOME}`,
    ...["tmp", "var/tmp", "dev/shm"].map((name) => `mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs ${name}`),
    `mount -t tmpfs -o mode=755,nosuid,nodev tmpfs .${SANDBOX_HOME}`,
    "mount -t proc proc proc",
    ...["null", "zero", "full", "random", "urandom", "tty"].map(
      (name) => `: > dev/${name}; mount --bind /dev/${name} dev/${name}`,
    ),
    "mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts",
    "ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd; ln -s /proc/self/fd/0 dev/stdin; ln -s /proc/self/fd/1 dev/stdout; ln -s /proc/self/fd/2 dev/stderr",
    mount(spec.control, CONTROL_INSIDE, false),
    ...spec.mounts.map(({ host, inside, writable }) => mount(host, inside, writable)),
    ...(spec.network ? [] : ["ip link set lo up 2>/dev/null || true"]),
    "hostname term 2>/dev/null || true",
    "mkdir .old; pivot_root . .old; cd /; umount -l /.old; rmdir /.old; mount -o remount,ro / 2>/dev/null || true",
    `cd ${quote(cwd)}`,
    // Process 1 stays: it reaps what the shell leaves behind. Its child has no capability and can gain none.
    `setpriv --no-new-privs --bounding-set=-all --inh-caps=-all /bin/sh ${CONTROL_INSIDE}/init`,
  ];
  return `${lines.join("\n")}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
