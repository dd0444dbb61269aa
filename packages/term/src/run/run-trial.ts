// One trial from beginning to end: world, sandbox, terminal, agent, tests, result. Whatever happens, nothing is left behind.
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentEnd, AgentLink } from "../agent/agent-link.ts";
import { AgentProcess } from "../agent/agent-process.ts";
import { NullAgent, OracleAgent } from "../agent/builtin-agents.ts";
import { killMarked } from "../processes/process-groups.ts";
import { chooseSandbox, makeSandbox, sandboxWorks } from "../sandbox/choose-sandbox.ts";
import { buildImage } from "../sandbox/docker-sandbox.ts";
import type { Sandbox, SandboxKind } from "../sandbox/sandbox.ts";
import { readReward } from "../tasks/read-reward.ts";
import type { Task } from "../tasks/task.ts";
import { TermError } from "../term-error.ts";
import { Recording } from "../terminal/recording.ts";
import { Terminal } from "../terminal/terminal.ts";
import { DEFAULT_SIZE } from "../terminal/terminal-options.ts";
import { agentName, type RunOptions } from "./run-options.ts";
import { type Conversation, type Limits, runSteps, type StepsInput } from "./run-steps.ts";
import { trajectoryWriter } from "./trajectory.ts";
import type { Status, TrialResult } from "./trial-result.ts";
import { bringSolution, bringTests, makeWorld, type TrialWorld } from "./trial-world.ts";

export type TrialInput = {
  options: RunOptions;
  task: Task | null;
  trial: number;
  /** Where the trial's files go; it exists and is empty. */
  folder: string;
  gate: StepsInput["gate"];
  signal: AbortSignal;
  onLog?: ((text: string) => void) | undefined;
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
    const unsupported = input.task === null ? null : whyUnsupported(input.task, input.options.sandbox);
    outcome = unsupported === null ? await inWorld(input, progress) : { status: "unsupported", detail: unsupported };
  } catch (error) {
    outcome = { status: "error", detail: error instanceof Error ? error.message : String(error) };
    if (!(error instanceof TermError) && error instanceof Error) outcome.detail = `${error.name}: ${error.message}`;
  }
  const endedAt = new Date();
  return {
    version: 1,
    task: input.task?.name ?? "instruction",
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
  };
}

/** Why a task cannot be run here; it then counts neither as passed nor as failed. */
function whyUnsupported(task: Task, asked: RunOptions["sandbox"]): string | null {
  if (task.container !== null) {
    if (task.dockerfile === null) return `the task needs a container that only docker compose can make: ${task.container}`;
    if (asked !== "auto" && asked !== "docker")
      return `the task needs a container (${task.container}), and --sandbox ${asked} is none`;
    if (!sandboxWorks("docker")) return `the task needs a container (${task.container}), and no container engine answers`;
  }
  const missing = task.container === null ? task.requires.filter((name) => spawnSync("which", [name]).status !== 0) : [];
  return missing.length === 0 ? null : `the task needs programs that are not installed: ${missing.join(", ")}`;
}

async function inWorld(input: TrialInput, progress: Progress): Promise<{ status: Status; detail: string }> {
  const { options, task, folder } = input;
  const mark = randomBytes(8).toString("hex");
  const kind = task?.container != null ? "docker" : chooseSandbox(options.sandbox);
  const world = makeWorld(task, options.work.kind === "instruction" ? options.work.cwd : null);
  const recording = new Recording(join(folder, "terminal.cast"), DEFAULT_SIZE);
  let sandbox: Sandbox | null = null;
  let terminal: Terminal | null = null;
  try {
    const image = task?.dockerfile != null ? await imageOf(task, folder) : null;
    const network = options.network || (task?.network ?? false);
    sandbox = makeSandbox(kind, {
      base: world.base,
      control: world.control,
      cwd: image === null ? world.work : image.workdir,
      mounts: world.mounts,
      network,
      mark,
      memoryMb: task?.memoryMb ?? 4096,
      processes: 1024,
      image: image?.tag ?? null,
    });
    Object.assign(progress, { sandbox: kind, limits: sandbox.limits, network: kind === "none" || network });
    terminal = await Terminal.start({
      launch: sandbox.launch,
      size: DEFAULT_SIZE,
      outputLimitBytes: options.outputLimitBytes,
      recording,
    });
    if (task?.setup) await prepare(task.setup, world, sandbox, terminal, folder);
    await converse(input, progress, world, sandbox, terminal, mark);
    return await judge(input, progress, world, sandbox, terminal);
  } finally {
    await terminal?.close();
    await killMarked(mark);
    await sandbox?.close();
    await recording.close();
    world.remove();
  }
}

async function imageOf(task: Task, folder: string): Promise<{ tag: string; workdir: string }> {
  const tag = `hap-term-${task.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  await buildImage(task.dockerfile ?? task.folder, tag, join(folder, "build.log"), 1_800_000);
  const inspected = execFileSync("docker", ["image", "inspect", "--format", "{{.Config.WorkingDir}}", tag], { encoding: "utf8" });
  return { tag, workdir: inspected.trim() || "/app" };
}

/** Run the task's set-up script where the commands will run; the agent never sees it. */
async function prepare(script: string, world: TrialWorld, sandbox: Sandbox, terminal: Terminal, folder: string): Promise<void> {
  const copy = join(world.tests, basename(script));
  cpSync(script, copy);
  const logPath = join(folder, "setup.log");
  const cwd = sandbox.inside(world.work);
  const command = ["/bin/bash", sandbox.inside(copy)];
  const { exitCode } = await sandbox.execute({ command, cwd, env: {}, logPath, timeoutMs: 300_000 }, terminal.pid);
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
    const script = task === null ? null : bringSolution(task, world);
    if (script === null) throw new TermError("task_invalid", `${task?.name ?? "This run"} has no solution to run.`);
    return new OracleAgent(`bash ${sandbox.inside(script)}`);
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
  const sdk = fileURLToPath(new URL("../../../../sdks/python", import.meta.url));
  if (!existsSync(sdk)) return process.env;
  const { PYTHONPATH } = process.env;
  return { ...process.env, PYTHONPATH: PYTHONPATH ? `${PYTHONPATH}:${sdk}` : sdk };
}

/** What the conversation and the tests say together. */
async function judge(
  input: TrialInput,
  progress: Progress,
  world: TrialWorld,
  sandbox: Sandbox,
  terminal: Terminal,
): Promise<{ status: Status; detail: string }> {
  const { task, folder } = input;
  const { conversation, agentEnd } = progress;
  if (conversation === null) throw new TermError("terminal_failed", "The conversation did not take place; run the trial again.");
  if (conversation.end !== "completed") {
    if (task !== null && conversation.end !== "interrupted") progress.reward = 0;
    return { status: conversation.end, detail: conversation.detail };
  }
  if (agentEnd?.bySelf && agentEnd.exitCode !== 0) {
    if (task !== null) progress.reward = 0;
    const how = agentEnd.signal === null ? `exit code ${agentEnd.exitCode}` : agentEnd.signal;
    return { status: "crashed", detail: `the agent said that the task was complete, and then ended with ${how}` };
  }
  if (task === null) return { status: "completed", detail: conversation.detail };

  bringTests(task, world);
  const logPath = join(folder, "verifier.log");
  const verifierLogs = join(world.logs, "verifier");
  const { exitCode } = await sandbox.execute(
    {
      command: ["/bin/bash", sandbox.inside(join(world.tests, basename(task.tests.script)))],
      cwd: sandbox.inside(world.work),
      env: {
        TEST_DIR: sandbox.inside(world.tests),
        LOGS_DIR: sandbox.inside(verifierLogs),
        PYTHONDONTWRITEBYTECODE: "1",
      },
      logPath,
      timeoutMs: task.verifierTimeoutSeconds * 1000,
    },
    terminal.pid,
  );
  const logText = readFileSync(logPath, "utf8");
  const { reward, source, note } = readReward({ logs: verifierLogs, logText, exitCode, parser: task.tests.parser });
  mkdirSync(join(folder, "verifier"), { recursive: true });
  cpSync(verifierLogs, join(folder, "verifier"), { recursive: true });
  Object.assign(progress, { reward, verifier: { exit_code: exitCode, source, note } });
  return reward >= 1
    ? { status: "passed", detail: conversation.detail }
    : { status: "failed", detail: note || `the reward is ${reward}` };
}

function tail(path: string): string {
  return readFileSync(path, "utf8").trim().split("\n").slice(-3).join(" | ");
}
