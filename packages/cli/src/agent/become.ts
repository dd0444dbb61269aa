// Becomes another program: same process, same terminal, same exit code and signals, and nothing of HAP left in between.
import { spawn } from "node:child_process";

/** Run a program in the place of this process. Returns only where that is not possible (Windows): then when it has ended. */
export async function become(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<number> {
  const variables = Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const execve = platform === "win32" ? undefined : process.execve;
  if (execve !== undefined) {
    // Node makes pipes non-blocking, and the program that follows would inherit that.
    for (const stream of [process.stdout, process.stderr]) (stream as Piped)._handle?.setBlocking?.(true);
    execve.call(process, program, [program, ...args], variables);
  }
  const child = spawn(program, args, { stdio: "inherit", env: variables });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

type Piped = NodeJS.WriteStream & { _handle?: { setBlocking?: (blocking: boolean) => void } };
