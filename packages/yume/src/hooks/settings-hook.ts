// Runs a hook of a settings file: a command with the event as JSON on standard input, or a POST. Exit 0 with JSON is an answer, exit 2
// blocks with its standard error, other exit codes are failures that do not block, as in Claude Code. A hook that could not
// be run, was killed or took too long gave no answer at all: the caller decides what that means.
import { spawn } from "node:child_process";
import type { SettingsHook } from "../settings/hook-settings.ts";

export type HookAnswer = Record<string, unknown> & { hookSpecificOutput?: Record<string, unknown> };

/** `passes`: the hook itself reported a failure that, by Claude Code's rules, blocks nothing. */
export class HookFailure extends Error {
  readonly passes: boolean;

  constructor(message: string, passes: boolean) {
    super(message);
    this.passes = passes;
  }
}

export type HookWorld = { env: NodeJS.ProcessEnv; cwd: string };

/** Events whose plain output is context for the model. */
const PLAIN_IS_CONTEXT = new Set(["UserPromptSubmit", "SessionStart"]);
const OUTPUT_LIMIT = 1_000_000;
const EXIT_BLOCKS = 2;
/** What a shell exits with when it cannot run the command. */
const CANNOT_RUN = new Set([126, 127]);

/** Run it. Rejects with a `HookFailure`. */
export async function runSettingsHook(
  hook: SettingsHook,
  input: Record<string, unknown>,
  world: HookWorld,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const event = String(input.hook_event_name);
  if (hook.run.type === "unsupported") throw new HookFailure(`hooks of type ${hook.run.name} are not supported here`, false);
  if (hook.run.type === "http") return post(hook.run, hook.timeoutMs, JSON.stringify(input), world.env, signal);
  const ended = await runCommand(hook.run.command, hook.timeoutMs, JSON.stringify(input), world, signal);
  if (ended.code === EXIT_BLOCKS) return blocked(event, ended.stderr.trim() || "a hook blocked it");
  if (ended.code !== 0) {
    const words = `${hook.run.command} exited with ${ended.code ?? ended.signal}: ${ended.stderr.trim().slice(0, 2_000)}`;
    throw new HookFailure(words, ended.code !== null && !CANNOT_RUN.has(ended.code));
  }
  return answerOf(ended.stdout, event);
}

function blocked(event: string, reason: string): HookAnswer {
  return event === "PreToolUse"
    ? { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: reason } }
    : { decision: "block", reason };
}

function answerOf(output: string, event: string): HookAnswer {
  const text = output.trim();
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text) as HookAnswer;
    } catch {
      // A gate that prints half an answer has not answered.
      throw new HookFailure(`the hook printed JSON that cannot be read: ${text.slice(0, 200)}`, event !== "PreToolUse");
    }
  }
  return text !== "" && PLAIN_IS_CONTEXT.has(event) ? { hookSpecificOutput: { additionalContext: text } } : {};
}

type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

function runCommand(command: string, timeoutMs: number, input: string, world: HookWorld, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what the hook started ends with it.
    const child = spawn(command, {
      shell: true,
      cwd: world.cwd,
      env: { ...world.env, CLAUDE_PROJECT_DIR: world.cwd },
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        if (texts[name].length < OUTPUT_LIMIT) texts[name] += text;
      });
    const end = (why: string) => {
      try {
        if (child.pid !== undefined) process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
      finish(() => reject(new HookFailure(why, false)));
    };
    const onAbort = () => end("the run was interrupted");
    const timer = setTimeout(() => end(`${command} did not answer within ${timeoutMs / 1_000} s`), timeoutMs);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      settle();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    child.on("error", (error) => finish(() => reject(new HookFailure(`${command}: ${error.message}`, false))));
    child.on("close", (code, killedBy) => finish(() => resolve({ code, signal: killedBy, ...texts })));
    // A hook need not read its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

async function post(
  hook: Extract<SettingsHook["run"], { type: "http" }>,
  timeoutMs: number,
  body: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const expand = (text: string) =>
    text.replaceAll(/\$\{?(\w+)\}?/g, (all, name: string) => (hook.allowedEnvVars.includes(name) ? (env[name] ?? "") : all));
  const headers = Object.fromEntries(Object.entries(hook.headers).map(([name, text]) => [name, expand(text)]));
  let response: Response;
  let text: string;
  try {
    response = await fetch(hook.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    text = await response.text();
  } catch (error) {
    throw new HookFailure(`${hook.url}: ${(error as Error).message}`, false);
  }
  if (!response.ok) throw new HookFailure(`${hook.url} answered ${response.status}`, false);
  return answerOf(text, "");
}
