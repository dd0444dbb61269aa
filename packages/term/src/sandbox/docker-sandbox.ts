// A container: the task's own image, its folders mounted, no network unless asked. The shell is an `exec` in it.
import { execFileSync } from "node:child_process";
import { runToFile } from "../processes/run-to-file.ts";
import { TermError } from "../term-error.ts";
import { CONTROL_INSIDE } from "./join-namespaces.ts";
import { mapPath, type Sandbox, type SandboxSpec, shellEnvironment } from "./sandbox.ts";

/** True when a container engine answers. */
export function dockerAnswers(): boolean {
  try {
    execFileSync("docker", ["info", "--format", "{{.ServerVersion}}"], { stdio: ["ignore", "pipe", "ignore"], timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}

/** Build the image of a task's folder; the log has the engine's words. */
export async function buildImage(folder: string, tag: string, logPath: string, timeoutMs: number): Promise<void> {
  const { exitCode } = await runToFile(["docker", "build", "-t", tag, folder], { env: process.env, logPath, timeoutMs });
  if (exitCode !== 0)
    throw new TermError(
      "setup_failed",
      `The image of ${folder} could not be built (${exitCode ?? "out of time"}); see ${logPath}.`,
    );
}

/** Start a container and make a sandbox of it. The image decides where commands begin unless the spec names a mount. */
export function dockerSandbox(spec: SandboxSpec): Sandbox {
  if (spec.image === null) throw new TermError("usage", "--sandbox docker needs an image: a task with a Dockerfile, or --image.");
  const name = `hap-term-${spec.mark}`;
  const mounts = [...spec.mounts, { host: spec.control, inside: CONTROL_INSIDE, writable: false }];
  const cwd = mapPath(spec.mounts, spec.cwd);
  const run = [
    ...["run", "--detach", "--rm", "--init", "--name", name, "--workdir", cwd],
    ...(spec.network ? [] : ["--network", "none"]),
    ...(spec.memoryMb === null ? [] : ["--memory", `${spec.memoryMb}m`]),
    ...(spec.processes === null ? [] : ["--pids-limit", String(spec.processes)]),
    ...mounts.flatMap(({ host, inside, writable }) => ["--volume", `${host}:${inside}${writable ? "" : ":ro"}`]),
    ...["--entrypoint", "sleep", spec.image, "infinity"],
  ];
  try {
    execFileSync("docker", run, { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    throw new TermError("sandbox_missing", `The container did not start from ${spec.image}: ${String(error)}`, error);
  }
  const { PATH, HOME, ...scrubbed } = shellEnvironment(spec, "", "");
  const variables = Object.entries(scrubbed).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  return {
    kind: "docker",
    limits: "docker",
    launch: {
      file: "docker",
      args: ["exec", "--interactive", "--tty", ...variables, "--workdir", cwd, name, "/bin/sh", `${CONTROL_INSIDE}/init`],
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/" },
      hostCwd: "/",
      control: { host: spec.control, inside: CONTROL_INSIDE },
      cwd,
    },
    inside: (host) => mapPath(spec.mounts, host),
    execute: ({ command, cwd: folder, env, logPath, timeoutMs }) => {
      const given = Object.entries({ ...scrubbed, ...env }).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
      const exec = ["docker", "exec", ...given, "--workdir", folder, name, ...command];
      return runToFile(exec, { env: process.env, logPath, timeoutMs });
    },
    close: async () => {
      execFileSync("docker", ["rm", "--force", name], { stdio: "ignore" });
    },
  };
}
