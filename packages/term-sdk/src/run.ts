// The loop of an agent: one line in, one line out, until the task is complete or the harness closes the input.
import { Console } from "node:console";
import { createInterface } from "node:readline";
import { parseRequest } from "./parse-request.ts";
import type { Request } from "./request.ts";
import { Response } from "./response.ts";

/** An agent. The process lives through all steps, so what `setup` makes lasts. */
export interface Agent {
  setup?(): void | Promise<void>;
  solve(request: Request): Response | Promise<Response>;
  cleanup?(): void | Promise<void>;
}

/** Write to the log: standard error, which the harness shows and stores. */
export function log(...words: unknown[]): void {
  console.error("[agent]", ...words);
}

/**
 * Run an agent until it is done. An error in `solve` is told to the harness in `text` and ends the process with 1; it is
 * never taken for completion. `console.log` goes to standard error meanwhile: standard output belongs to the protocol.
 */
export async function run(agent: Agent): Promise<void> {
  globalThis.console = new Console(process.stderr, process.stderr);
  try {
    await agent.setup?.();
    await answerAll(agent);
  } catch (error) {
    log(error);
    process.exitCode = 1;
  }
  try {
    await agent.cleanup?.();
  } catch (error) {
    log("cleanup failed:", error);
    process.exitCode = 1;
  }
}

async function answerAll(agent: Agent): Promise<void> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) {
      if (line.trim() === "") continue;
      const response = await answer(agent, line);
      await write(response);
      if (response.taskComplete) return;
    }
  } finally {
    lines.close();
    process.stdin.destroy();
  }
}

async function answer(agent: Agent, line: string): Promise<Response> {
  try {
    return await agent.solve(parseRequest(line));
  } catch (error) {
    await write(Response.say(`error: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`));
    throw error;
  }
}

/** Resolves when the line has left this process. */
function write(response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(response)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
