// A container of Docker or Podman: the task's image, the trial's folders mounted, no network unless asked. The shell is an `exec`.
import { runToFile } from "../processes/run-to-file.ts";
import { TermError } from "../term-error.ts";
import { callEngine } from "./container-engine.ts";
import { holdContainer } from "./hold-container.ts";
import { CONTROL_INSIDE } from "./join-namespaces.ts";
import { type ContainerSpec, type Mount, mapPath, type Sandbox, type SandboxSpec, shellEnvironment } from "./sandbox.ts";
import { stopScript } from "./stop-in-container.ts";

/** A sequence that is never typed. The default, Ctrl-P Ctrl-Q, would swallow a program's Ctrl-P. */
const DETACH_KEYS = "ctrl-^,ctrl-@,ctrl-^";

/** Start a container. Commands begin in the image's folder unless the spec names a mounted one. */
export async function containerSandbox(spec: SandboxSpec): Promise<Sandbox> {
  const { container } = spec;
  if (container === null) throw new TermError("usage", "A container needs an image: a task with a Dockerfile, or --image NAME.");
  const { engine, users } = container;
  const name = `hap-term-${spec.mark}`;
  const cwd = mapPath(spec.mounts, spec.cwd);
  const held = await holdContainer(container, runArguments(spec, container, name, cwd));
  const { PATH, HOME, ...scrubbed } = shellEnvironment(spec, "", "");
  const variables = (values: Record<string, string>) =>
    Object.entries(values).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  const userOption = (user: string | null) => (user === null ? [] : ["--user", user]);
  const terminal = ["--interactive", "--tty", "--detach-keys", DETACH_KEYS, ...userOption(users.agent)];
  const [file = "", ...globals] = engine.program;
  const call = (...args: string[]) => callEngine(engine, ...args).catch(() => "");
  return {
    kind: engine.kind,
    limits: engine.limits.memory && engine.limits.processes ? engine.kind : "absent",
    launch: {
      file,
      args: [
        ...[...globals, "exec", ...terminal, ...variables(scrubbed), "--workdir", cwd, name],
        ...["/bin/sh", `${CONTROL_INSIDE}/init`],
      ],
      // Of the engine's program, which runs outside; the variables inside are named above.
      env: Object.fromEntries(Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
      hostCwd: "/",
      control: { host: spec.control, inside: CONTROL_INSIDE },
      cwd,
      stop: async (what) => {
        // Fails if the container or the process has ended already, and then nothing is left to stop.
        await call("exec", "--user", "0", name, "bash", "-c", stopScript(what));
      },
    },
    inside: (host) => mapPath(spec.mounts, host),
    execute: ({ command, cwd: folder, env, logPath, timeoutMs }) => {
      const options = [...userOption(users.tests), ...variables({ ...scrubbed, ...env }), "--workdir", folder];
      return runToFile([...engine.program, "exec", ...options, name, ...command], { env: process.env, logPath, timeoutMs });
    },
    close: async () => {
      await giveBack(name, spec, call);
      // Podman would wait ten seconds for a shell that ignores SIGTERM.
      await call("rm", "--force", ...(engine.kind === "podman" ? ["--time", "0"] : []), "--volumes", name);
      await held.end();
    },
  };
}

/** The arguments of `run`, up to the command that keeps the container up. */
function runArguments(spec: SandboxSpec, container: ContainerSpec, name: string, cwd: string): string[] {
  const { engine, image, cpus, options } = container;
  const { limits } = engine;
  const mounts = [...spec.mounts, { host: spec.control, inside: CONTROL_INSIDE, writable: false }];
  const network = container.network ?? (spec.network ? [] : ["--network", "none"]);
  return [
    ...["run", "--rm", "--interactive", "--name", name, ...engine.runOptions, ...network],
    // An image's own folder is made where it is missing, but Podman refuses it as an option.
    ...(cwd === container.workdir ? [] : ["--workdir", cwd]),
    ...(spec.memoryMb === null || !limits.memory ? [] : ["--memory", `${spec.memoryMb}m`]),
    ...(spec.processes === null || !limits.processes ? [] : ["--pids-limit", String(spec.processes)]),
    ...(cpus === null || !limits.cpus ? [] : ["--cpus", String(cpus)]),
    ...options,
    ...mounts.flatMap((mount) => ["--mount", mountArgument(mount)]),
    ...["--entrypoint", "bash", image],
  ];
}

/** One line of CSV: a path may contain commas and quotes. */
export function mountArgument({ host, inside, writable }: Mount): string {
  const fields = ["type=bind", `source=${host}`, `target=${inside}`, ...(writable ? [] : ["readonly"])];
  return fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

/** Make the caller owner of what other users of the container wrote into the trial's own folders, so that it can be removed. */
async function giveBack(
  name: string,
  { mounts, base }: SandboxSpec,
  call: (...args: string[]) => Promise<string>,
): Promise<void> {
  const folders = mounts.filter(({ host, writable }) => writable && host.startsWith(`${base}/`)).map(({ inside }) => inside);
  if (process.getuid?.() === 0 || folders.length === 0) return;
  // The control folder is the caller's, whatever number the engine shows for its owner.
  const script = `chown -hR "$(stat -c %u:%g ${CONTROL_INSIDE})" -- "$@"`;
  await call("exec", "--user", "0", name, "/bin/sh", "-c", script, "sh", ...folders);
}
