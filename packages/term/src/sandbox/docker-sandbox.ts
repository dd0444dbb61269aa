// A container: the task's own image, its folders mounted, no network unless asked. The shell is an `exec` in it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { runToFile } from "../processes/run-to-file.ts";
import { TermError } from "../term-error.ts";
import { holdContainer } from "./hold-container.ts";
import { CONTROL_INSIDE } from "./join-namespaces.ts";
import { type ContainerSpec, type Mount, mapPath, type Sandbox, type SandboxSpec, shellEnvironment } from "./sandbox.ts";
import { stopScript } from "./stop-in-container.ts";

const run = promisify(execFile);

/** Keys that nobody types in this order: the usual ones, Ctrl-P Ctrl-Q, would swallow a program's Ctrl-P. */
const DETACH_KEYS = "ctrl-^,ctrl-@,ctrl-^";

/** Start a container and make a sandbox of it. The image decides where commands begin unless the spec names a mount. */
export async function dockerSandbox(spec: SandboxSpec): Promise<Sandbox> {
  if (spec.container === null)
    throw new TermError("usage", "--sandbox docker needs an image: a task with a Dockerfile, or --image NAME.");
  const name = `hap-term-${spec.mark}`;
  const cwd = mapPath(spec.mounts, spec.cwd);
  const held = await holdContainer(spec.container, runArguments(spec, spec.container, name, cwd));
  const { PATH, HOME, ...scrubbed } = shellEnvironment(spec, "", "");
  const variables = (values: Record<string, string>) =>
    Object.entries(values).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  const terminal = ["--interactive", "--tty", "--detach-keys", DETACH_KEYS];
  const control = { host: spec.control, inside: CONTROL_INSIDE };
  return {
    kind: "docker",
    limits: "docker",
    launch: {
      file: "docker",
      args: ["exec", ...terminal, ...variables(scrubbed), "--workdir", cwd, name, "/bin/sh", `${CONTROL_INSIDE}/init`],
      // The command's own, on this side; what is inside is named above.
      env: Object.fromEntries(Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
      hostCwd: "/",
      control,
      cwd,
      stop: async (what) => {
        // What is gone already, or a container that is, leaves nothing to stop.
        await run("docker", ["exec", "--user", "0", name, "bash", "-c", stopScript(what)]).catch(() => {});
      },
    },
    inside: (host) => mapPath(spec.mounts, host),
    execute: ({ command, cwd: folder, env, logPath, timeoutMs }) => {
      const exec = ["docker", "exec", ...variables({ ...scrubbed, ...env }), "--workdir", folder, name, ...command];
      return runToFile(exec, { env: process.env, logPath, timeoutMs });
    },
    close: async () => {
      await giveBack(name, spec);
      await run("docker", ["rm", "--force", "--volumes", name]).catch(() => {});
      await held.end();
    },
  };
}

/** `docker run`, up to what holds the container. */
function runArguments(spec: SandboxSpec, { image, cpus }: ContainerSpec, name: string, cwd: string): string[] {
  const mounts = [...spec.mounts, { host: spec.control, inside: CONTROL_INSIDE, writable: false }];
  return [
    ...["run", "--rm", "--interactive", "--name", name, "--workdir", cwd],
    ...(spec.network ? [] : ["--network", "none"]),
    ...(spec.memoryMb === null ? [] : ["--memory", `${spec.memoryMb}m`]),
    ...(spec.processes === null ? [] : ["--pids-limit", String(spec.processes)]),
    ...(cpus === null ? [] : ["--cpus", String(cpus)]),
    ...mounts.flatMap((mount) => ["--mount", mountArgument(mount)]),
    ...["--entrypoint", "bash", image],
  ];
}

/** One line of CSV: a path may hold commas and quotes. */
function mountArgument({ host, inside, writable }: Mount): string {
  const fields = ["type=bind", `source=${host}`, `target=${inside}`, ...(writable ? [] : ["readonly"])];
  return fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

/** What a container's root wrote into the trial's own folders could not be removed otherwise. A folder that was given stays. */
async function giveBack(name: string, { mounts, base }: SandboxSpec): Promise<void> {
  const folders = mounts.filter(({ host, writable }) => writable && host.startsWith(`${base}/`)).map(({ inside }) => inside);
  if (process.getuid?.() === 0 || folders.length === 0) return;
  // The control folder is the caller's, by whatever number the engine shows it.
  const script = `chown -hR "$(stat -c %u:%g ${CONTROL_INSIDE})" -- "$@"`;
  await run("docker", ["exec", "--user", "0", name, "/bin/sh", "-c", script, "sh", ...folders]).catch(() => {});
}
