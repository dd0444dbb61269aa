// The conversation: request, response, command, until the task is complete or something ends it (D29). Knows nothing of
// processes, sandboxes or files: they are given.
import type { AgentLink } from "../agent/agent-link.ts";
import type { Seen, ShellWatch } from "../gate/shell-watch.ts";
import { type AgentResponse, readResponse } from "../protocol/agent-response.ts";
import { requestLine, type WireRequest } from "../protocol/request-line.ts";
import { addUsage, type Usage } from "../protocol/usage.ts";
import type { TerminalResult } from "../terminal/terminal-options.ts";
import type { GateVerdict, TrajectoryEntry } from "./trajectory.ts";

/** Invalid responses in a row that end the task. */
const INVALID_IN_A_ROW = 3;

/** What a conversation is held within. */
export type Limits = {
  responseTimeoutMs: number;
  commandTimeoutMs: number;
  /** For the agent's whole time; waiting for people does not count. */
  totalTimeoutMs: number;
  maxSteps: number;
  /** How long an agent may clean up before it is ended. */
  graceMs: number;
};

export const DEFAULT_LIMITS: Limits = {
  responseTimeoutMs: 300_000,
  commandTimeoutMs: 120_000,
  totalTimeoutMs: 3_600_000,
  maxSteps: 500,
  graceMs: 5_000,
};

/** How a conversation ended. */
export type Conversation = {
  end: "completed" | "crashed" | "timeout" | "invalid" | "step_limit" | "interrupted";
  detail: string;
  steps: number;
  gateWaitMs: number;
  /** Tokens and cost of all responses; null if none reported any. */
  usage: Usage | null;
};

export type StepsInput = {
  agent: AgentLink;
  terminal: {
    readonly cwd: string;
    run(command: string, timeoutMs: number): Promise<TerminalResult>;
    type(keys: readonly { keystrokes: string; duration: number }[], timeoutMs: number): Promise<TerminalResult>;
  };
  instruction: string;
  limits: Limits;
  /** Asks a person about a command; without one everything runs. */
  gate?: ((command: string, cwd: string, root: string, seen?: Seen) => Promise<GateVerdict>) | undefined;
  /** What this machine shows of a command, for the gate. */
  watch?: ShellWatch | undefined;
  write: (entry: TrajectoryEntry) => void;
  signal?: AbortSignal | undefined;
};

type Shown = Pick<WireRequest, "last_command" | "output" | "exit_code" | "screen">;

/** Talk to an agent until the end. */
export async function runSteps(input: StepsInput): Promise<Conversation> {
  const { terminal, instruction, limits, signal } = input;
  const started = performance.now();
  const root = terminal.cwd;
  let gateWaitMs = 0;
  let shown: Shown = { last_command: null, output: null, exit_code: null };
  let completions = 0;
  const used: Usage[] = [];
  const left = () => limits.totalTimeoutMs - (performance.now() - started - gateWaitMs);
  const over = (end: Conversation["end"], detail: string, steps: number): Conversation => ({
    end,
    detail,
    steps,
    gateWaitMs,
    usage: addUsage(used),
  });
  const outOfTime = (steps: number) => over("timeout", usedUp(limits), steps);

  for (let step = 1; step <= limits.maxSteps; step++) {
    const request: WireRequest = { instruction, step, ...shown, cwd: terminal.cwd };
    const at = new Date().toISOString();
    const asked = performance.now();
    const answer = await askValid(input, request, left);
    const agentSeconds = seconds(performance.now() - asked);
    if (answer.kind === "end") {
      input.write({ step, at, request, response: null, agent_seconds: agentSeconds, problem: answer.detail });
      return over(answer.end, answer.detail, step - 1);
    }
    const { response } = answer;
    if (response.usage !== undefined) used.push(response.usage);
    const entry: TrajectoryEntry = { step, at, request, response, agent_seconds: agentSeconds };
    const remaining = left();
    if (remaining <= 0) {
      input.write({ ...entry, problem: "the time is used up" });
      return outOfTime(step);
    }
    const ran = performance.now();
    const acted = await unlessAborted(act(input, response, root, Math.min(limits.commandTimeoutMs, remaining)), signal);
    if (acted === null) {
      input.write({ ...entry, problem: "the run was interrupted" });
      return over("interrupted", "the run was interrupted", step);
    }
    gateWaitMs += acted.gate?.waited_ms ?? 0;
    shown = acted.shown;
    completions = response.taskComplete ? completions + 1 : 0;
    const confirmed = completions >= (response.form === "keystrokes" ? 2 : 1);
    if (response.taskComplete && !confirmed) shown = askToConfirm(shown);
    const commandSeconds = seconds(performance.now() - ran - (acted.gate?.waited_ms ?? 0));
    input.write({ ...entry, ...acted.shown, command_seconds: commandSeconds, ...(acted.gate ? { gate: acted.gate } : {}) });
    if (confirmed) return over("completed", response.text ?? "", step);
    if (signal?.aborted) return over("interrupted", "the run was interrupted", step);
    if (left() <= 0) return outOfTime(step);
  }
  return over("step_limit", `the agent did not finish within ${limits.maxSteps} steps`, limits.maxSteps);
}

type Valid = { kind: "response"; response: AgentResponse } | { kind: "end"; end: Conversation["end"]; detail: string };

/** One valid response: after an invalid one the same line is sent again, and three in a row are the end. */
async function askValid(input: StepsInput, request: WireRequest, left: () => number): Promise<Valid> {
  const line = requestLine(request);
  let problem = "";
  for (let attempt = 1; attempt <= INVALID_IN_A_ROW; attempt++) {
    const { responseTimeoutMs } = input.limits;
    const remaining = Math.max(left(), 0);
    const answer = await unlessAborted(input.agent.ask(line, Math.min(responseTimeoutMs, remaining)), input.signal);
    if (answer === null) return { kind: "end", end: "interrupted", detail: "the run was interrupted" };
    if (answer.kind === "gone")
      return { kind: "end", end: "crashed", detail: `the agent ${answer.how} before the task was complete` };
    if (answer.kind === "timeout") {
      const detail = remaining < responseTimeoutMs ? usedUp(input.limits) : `no response within ${responseTimeoutMs / 1000} s`;
      return { kind: "end", end: "timeout", detail };
    }
    const read = answer.kind === "oversize" ? tooLong(answer.bytes) : readResponse(answer.line);
    if (read.ok) return { kind: "response", response: read.response };
    problem = read.problem;
    input.write({
      step: request.step,
      at: new Date().toISOString(),
      request,
      response: null,
      problem: `invalid response ${attempt} of ${INVALID_IN_A_ROW}: ${problem}`,
      line: answer.kind === "line" ? answer.line.slice(0, 2000) : "",
    });
  }
  return { kind: "end", end: "invalid", detail: `${INVALID_IN_A_ROW} invalid responses in a row; the last: ${problem}` };
}

function usedUp({ totalTimeoutMs }: StepsInput["limits"]): string {
  return `the agent's ${totalTimeoutMs / 1000} s are used up`;
}

function tooLong(bytes: number): { ok: false; problem: string } {
  return { ok: false, problem: `the line has ${bytes} bytes, which is more than a response may have` };
}

/** The value, or null once the run is interrupted. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  if (signal === undefined) return work;
  if (signal.aborted) return null;
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = () => resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Do what the agent asked for. */
async function act(
  input: StepsInput,
  response: AgentResponse,
  root: string,
  timeoutMs: number,
): Promise<{ shown: Shown; gate?: GateVerdict | undefined }> {
  const typed = response.form === "command" ? [] : response.keystrokes;
  const command = response.form === "command" ? response.command : typed.map(({ keystrokes }) => keystrokes).join("");
  if (command === null || (response.form !== "command" && typed.length === 0))
    return { shown: { last_command: null, output: "", exit_code: null } };
  const { cwd } = input.terminal;
  const gate = await input.gate?.(command, cwd, root, input.watch?.see(command, cwd, root));
  if (gate !== undefined && !gate.allowed)
    return { shown: { last_command: command, output: gate.words, exit_code: gate.exit_code }, gate };
  const edited = gate?.edited_command;
  const runs = edited ?? command;
  input.watch?.ran(response.form === "command" || edited !== undefined ? runs : null);
  const result =
    response.form === "command" || edited !== undefined
      ? await input.terminal.run(runs, timeoutMs)
      : await input.terminal.type(typed, timeoutMs);
  const shown = { last_command: runs, output: result.output, exit_code: result.exitCode };
  // Agents of the legacy format get the screen as output.
  const view = response.form === "keys" ? result.screen : undefined;
  return { shown: view === undefined ? shown : { ...shown, screen: view }, gate };
}

/** Legacy agents confirm their completion: it is asked for in the output, as their prompts expect. */
function askToConfirm(shown: Shown): Shown {
  const question = "[term] Is the task complete? Answer with task_complete once more to confirm it.";
  return { ...shown, output: shown.output ? `${shown.output}\n${question}` : question };
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
