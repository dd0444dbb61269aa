// bubblewrap: an allow-list of mounts, namespaces of its own for everything, no capabilities, dies with its parent (D30).
import { bubblewrapArguments, hostFolders, makeCgroup, SANDBOX_HOME, SANDBOX_PATH, withoutDescriptors } from "@hap/sandbox";
import { CONTROL_INSIDE, executeInNamespaces } from "./join-namespaces.ts";
import { mapPath, type Sandbox, type SandboxSpec, shellEnvironment } from "./sandbox.ts";

/** Make a bubblewrap sandbox. */
export function bwrapSandbox(spec: SandboxSpec): Sandbox {
  const env = shellEnvironment(spec, SANDBOX_PATH, SANDBOX_HOME);
  const cwd = mapPath(spec.mounts, spec.cwd);
  const cgroup = makeCgroup(`hap-term-${spec.mark}`, spec);
  const join = cgroup === null ? "" : `${cgroup.procs.map((file) => `echo $$ > ${file}`).join(" && ")} && `;
  const enter = ["/bin/sh", "-c", `${join}exec "$@"`, "sh", "bwrap", ...argumentsOf(spec, cwd)];
  const [file, ...args] = withoutDescriptors([...enter, "/bin/sh", `${CONTROL_INSIDE}/init`], null);
  return {
    kind: "bwrap",
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

/** The allow-list as arguments. The pseudo-terminal gives it a session of its own. */
function argumentsOf({ network, control, mounts }: SandboxSpec, cwd: string): string[] {
  return bubblewrapArguments({
    system: hostFolders(network),
    mounts: [{ host: control, inside: CONTROL_INSIDE, writable: false }, ...mounts],
    network,
    hostname: "term",
    cwd,
    newSession: false,
  });
}
