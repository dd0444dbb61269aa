// The inbox behind `hap claude` and `hap codex`: the one that runs, or one in the background that ends with the last agent.
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { HapError } from "@hap/protocol";
import type { Context } from "../context.ts";
import { LogFile } from "../start/log-file.ts";
import { findInbox, type RunningInbox } from "../start/running-inbox.ts";

const LIMIT_MS = 60_000;
const LOOK_MS = 25;

/** Find the inbox of a store, or start one. `hap`: the words that start this program. */
export async function ensureInbox(context: Context, store: string, hap: readonly string[]): Promise<RunningInbox> {
  const running = await findInbox(store);
  return running ?? startInBackground(context, store, hap);
}

async function startInBackground(context: Context, store: string, hap: readonly string[]): Promise<RunningInbox> {
  const log = new LogFile(store).path;
  const [program = "", ...args] = hap;
  const { HAP_AGENT_ID: _agent, ...env } = context.env;
  const output = openSync(log, "a", 0o600);
  // A session of its own: Ctrl-C in the agent's terminal is the agent's.
  const child = spawn(program, [...args, "start", "--while-agents", "--no-open"], {
    cwd: context.home,
    env: { ...env, HAP_DB_PATH: store },
    detached: true,
    stdio: ["ignore", "ignore", output],
  });
  closeSync(output);
  let ended = false;
  child.once("exit", () => {
    ended = true;
  });
  child.once("error", () => {
    ended = true;
  });
  child.unref();
  for (const until = Date.now() + LIMIT_MS; Date.now() < until && !ended; ) {
    const inbox = await findInbox(store);
    if (inbox !== null) return inbox;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new HapError("store_unusable", `The inbox did not start, so the agent was not started. ${log} says why.`, { path: log });
}
