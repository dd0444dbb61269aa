// No sandbox: commands run as the caller, on the caller's files. Only when somebody said so.
import { SANDBOX_PATH } from "@hap/sandbox";
import { runToFile } from "../processes/run-to-file.ts";
import { type Execution, type Sandbox, type SandboxSpec, shellEnvironment } from "./sandbox.ts";

/** The caller's own machine. */
export function noSandbox(spec: SandboxSpec): Sandbox {
  const env = shellEnvironment(spec, process.env.PATH ?? SANDBOX_PATH, process.env.HOME ?? "/");
  return {
    kind: "none",
    limits: "absent",
    launch: {
      file: "/bin/sh",
      args: [`${spec.control}/init`],
      env,
      hostCwd: spec.cwd,
      control: { host: spec.control, inside: spec.control },
      cwd: spec.cwd,
    },
    inside: (host) => host,
    execute: ({ command, cwd, env: more, logPath, timeoutMs }: Execution) =>
      runToFile(command, { cwd, env: { ...env, ...more }, logPath, timeoutMs }),
    close: async () => {},
  };
}
