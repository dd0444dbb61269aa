// One trial from beginning to end: world, sandbox, terminal, agent, tests, result. Whatever happens, nothing is left behind.
import { randomBytes } from "node:crypto";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { findInstalled } from "@hap/sdk/installed";
import type { AgentEnd, AgentLink } from "../agent/agent-link.ts";
import { AgentProcess } from "../agent/agent-process.ts";
import { KeysAgent, NullAgent, OracleAgent } from "../agent/builtin-agents.ts";
import { watchShell } from "../gate/shell-watch.ts";
import { killMarked } from "../processes/process-groups.ts";
import { priced, type Usage } from "../protocol/usage.ts";
import { makeSandbox } from "../sandbox/choose-sandbox.ts";
import type { Sandbox, SandboxKind } from "../sandbox/sandbox.ts";
import type { Task } from "../tasks/task.ts";
import { TermError } from "../term-error.ts";
import { Recording } from "../terminal/recording.ts";
import { Terminal } from "../terminal/terminal.ts";
import { DEFAULT_SIZE } from "../terminal/terminal-options.ts";
import { kindOf, type PreparedContainer, prepareContainer } from "./container-of.ts";
import { findMissing } from "./find-missing.ts";
import { judgeTrial } from "./judge-trial.ts";
import { agentName, type RunOptions } from "./run-options.ts";
import { type Conversation, type Limits, runSteps, type StepsInput } from "./run-steps.ts";
import { shellWord } from "./shell-word.ts";
import { trajectoryWriter } from "./trajectory.ts";
import type { Status, TrialResult } from "./trial-result.ts";
import { bringSolution, makeWorld, type TrialWorld } from "./trial-world.ts";
import { writeAtif } from "./write-atif.ts";

const SET_MS = 20_000;

export type TrialInput = {
  options: RunOptions;
  task: Task | null;
  trial: number;
  /** Where the trial's files go; it exists and is empty. */
  folder: string;
  gate: StepsInput["gate"];
  signal: AbortSignal;
  onLog?: ((text: string) => void) | undefined;
  /** The task's folder could not be read. */
  broken?: { name: string; error: unknown } | undefined;
};

/** What is known of a trial while it runs. */
type Progress = {
  sandbox: SandboxKind | null;
  limits: string;
  network: boolean;
  conversation: Conversation | null;
  agentEnd: AgentEnd | null;
  verifier: TrialResult["verifier"];
  reward: number | null;
  agentSeconds: number;
};

/** Run a trial. Errors of the harness become a result too: other trials go on. */
export async function runTrial(input: TrialInput): Promise<TrialResult> {
  const startedAt = new Date();
  const progress: Progress = {
    sandbox: null,
    limits: "absent",
    network: false,
    conversation: null,
    agentEnd: null,
    verifier: null,
    reward: null,
    agentSeconds: 0,
  };
  let outcome: { status: Status; detail: string };
  try {
    if (input.broken !== undefined) throw input.broken.error;
    const unsupported = input.task === null ? null : findMissing(input.task, input.options.sandbox);
    outcome = unsupported === null ? await inWorld(input, progress) : { status: "unsupported", detail: unsupported };
  } catch (error) {
    outcome = { status: "error", detail: error instanceof Error ? error.message : String(error) };
    if (input.signal.aborted) outcome = { status: "interrupted", detail: "the run was interrupted" };
    else if (!(error instanceof TermError) && error instanceof Error) outcome.detail = `${error.name}: ${error.message}`;
  }
  const endedAt = new Date();
  const result: TrialResult = {
    version: 1,
    task: input.task?.name ?? input.broken?.name ?? "instruction",
    trial: input.trial,
    ...outcome,
    reward: progress.reward,
    steps: progress.conversation?.steps ?? 0,
    agent: {
      command: agentName(input.options.agent),
      exit_code: progress.agentEnd?.exitCode ?? null,
      signal: progress.agentEnd?.signal ?? null,
    },
    sandbox: { kind: progress.sandbox, limits: progress.limits, network: progress.network },
    verifier: progress.verifier,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    seconds: (endedAt.getTime() - startedAt.getTime()) / 1000,
    agent_seconds: progress.agentSeconds,
    gate_wait_seconds: Math.round(progress.conversation?.gateWaitMs ?? 0) / 1000,
    usage: usageOf(progress.conversation, input.options),
  };
  writeAtif(input.folder, result);
  return result;
}

function usageOf(conversation: Conversation | null, { price }: RunOptions): Usage | null {
  const usage = conversation?.usage ?? null;
  return usage === null ? null : priced(usage, price ?? null);
}

async function inWorld(input: TrialInput, progress: Progress): Promise<{ status: Status; detail: string }> {
  const { options, task, folder } = input;
  const mark = randomBytes(8).toString("hex");
  const kind = kindOf(task, options.sandbox);
  const world = makeWorld(task, options.work.kind === "instruction" ? options.work.cwd : null);
  const recording = new Recording(join(folder, "terminal.cast"), DEFAULT_SIZE);
  const network = options.network || (task?.network ?? false);
  let container: PreparedContainer | null = null;
  let sandbox: Sandbox | null = null;
  let terminal: Terminal | null = null;
  try {
    container = await prepareContainer(input, kind, mark, network);
    sandbox = await makeSandbox(kind, {
      base: world.base,
      control: world.control,
      cwd: container?.workdir ?? world.work,
      mounts: world.mounts,
      network,
      mark,
      memoryMb: task?.memoryMb ?? 4096,
      processes: 1024,
      container: container?.spec ?? null,
    });
    await container?.waitUntilHealthy();
    Object.assign(progress, { sandbox: kind, limits: sandbox.limits, network: kind === "none" || network });
    terminal = await Terminal.start({
      launch: sandbox.launch,
      size: DEFAULT_SIZE,
      outputLimitBytes: options.outputLimitBytes,
      recording,
    });
    await setVariables(terminal, task?.env ?? {});
    if (task?.setup) await prepare(task, task.setup, world, sandbox, terminal, folder);
    await converse(input, progress, world, sandbox, terminal, mark);
    if (progress.conversation === null)
      throw new TermError("terminal_failed", "The conversation did not take place; run the trial again.");
    const scene = { task, folder, world, sandbox, terminal };
    const { reward, verifier, ...outcome } = await judgeTrial(scene, progress.conversation, progress.agentEnd);
    Object.assign(progress, { reward, verifier });
    return outcome;
  } finally {
    await terminal?.close();
    await killMarked(mark);
    await sandbox?.close();
    await container?.close();
    await recording.close();
    world.remove();
  }
}

/** Set the task's variables in the shell that the agent's commands share. */
async function setVariables(terminal: Terminal, env: Record<string, string>): Promise<void> {
  const settings = Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`);
  if (settings.length === 0) return;
  const { exitCode, output } = await terminal.run(settings.join("\n"), SET_MS);
  if (exitCode !== 0) throw new TermError("setup_failed", `The task's variables could not be set: ${output}`);
}

/** Run the task's set-up script where the commands will run; the agent never sees it. */
async function prepare(
  task: Task,
  script: string,
  world: TrialWorld,
  sandbox: Sandbox,
  terminal: Terminal,
  folder: string,
): Promise<void> {
  const copy = join(world.tests, basename(script));
  cpSync(script, copy);
  const logPath = join(folder, "setup.log");
  const { cwd } = sandbox.launch;
  const command = ["/bin/bash", sandbox.inside(copy)];
  const { exitCode } = await sandbox.execute({ command, cwd, env: task.env, logPath, timeoutMs: 300_000 }, terminal.pid);
  rmSync(copy);
  if (exitCode !== 0)
    throw new TermError(
      "setup_failed",
      `The task's set-up ended with ${exitCode ?? "a timeout"}; see ${logPath}: ${tail(logPath)}`,
    );
}

async function converse(
  input: TrialInput,
  progress: Progress,
  world: TrialWorld,
  sandbox: Sandbox,
  terminal: Terminal,
  mark: string,
): Promise<void> {
  const { options, task, folder } = input;
  const started = performance.now();
  const agent = makeAgent(input, world, sandbox, mark);
  try {
    progress.conversation = await runSteps({
      agent,
      terminal,
      instruction: task?.instruction ?? (options.work.kind === "instruction" ? options.work.instruction : ""),
      limits: limitsOf(options, task),
      gate: input.gate,
      watch: input.gate === undefined ? undefined : watchShell(sandbox.kind, world.mounts, task?.env ?? {}),
      write: trajectoryWriter(join(folder, "trajectory.jsonl")),
      signal: input.signal,
    });
  } finally {
    const waited = progress.conversation?.gateWaitMs ?? 0;
    progress.agentSeconds = Math.round(performance.now() - started - waited) / 1000;
    progress.agentEnd = await agent.stop();
  }
}

/** The task's own time, unless the caller named one. */
function limitsOf(options: RunOptions, task: Task | null): Limits {
  const own = task?.agentTimeoutSeconds ?? null;
  return own === null || options.totalTimeGiven ? options.limits : { ...options.limits, totalTimeoutMs: own * 1000 };
}

function makeAgent(input: TrialInput, world: TrialWorld, sandbox: Sandbox, mark: string): AgentLink {
  const { options, task, folder } = input;
  if (options.agent.kind === "null") return new NullAgent();
  if (options.agent.kind === "oracle") {
    if (task?.solution?.kind === "keys") return new KeysAgent(task.solution.keys);
    const script = task === null ? null : bringSolution(task, world);
    if (script === null) throw new TermError("task_invalid", `${task?.name ?? "This run"} has no solution to run.`);
    const env = Object.entries(task?.solution?.kind === "script" ? task.solution.env : {});
    const settings = env.map(([name, value]) => `${name}=${shellWord(value)} `).join("");
    return new OracleAgent(`${settings}bash ${sandbox.inside(script)}`);
  }
  const { command, cwd } = options.agent;
  // A mark of its own: ending the agent must not end what its commands left running for the tests.
  return new AgentProcess({
    command,
    cwd,
    mark: `${mark}-agent`,
    logPath: join(folder, "agent.log"),
    onLog: input.onLog,
    graceMs: options.limits.graceMs,
    env: agentEnvironment(),
  });
}

/** The caller's own. In a checkout Python agents also find the SDK that lies beside the harness. */
function agentEnvironment(): NodeJS.ProcessEnv {
  const sdk = findInstalled(import.meta.url, "sdks/python");
  if (sdk === null) return process.env;
  const { PYTHONPATH } = process.env;
  return { ...process.env, PYTHONPATH: PYTHONPATH ? `${PYTHONPATH}:${sdk}` : sdk };
}

function tail(path: string): string {
  return readFileSync(path, "utf8").trim().split("\n").slice(-3).join(" | ");
}
