// What the conversation and the task's tests say together: the status of a trial, and its reward.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEnd } from "../agent/agent-link.ts";
import type { ExecutionResult, Sandbox } from "../sandbox/sandbox.ts";
import { readReward } from "../tasks/read-reward.ts";
import type { Task } from "../tasks/task.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Conversation } from "./run-steps.ts";
import { shellWord } from "./shell-word.ts";
import type { Status, TrialResult } from "./trial-result.ts";
import { bringTests, type TrialWorld, testScript } from "./trial-world.ts";

export type Judged = { status: Status; detail: string; reward: number | null; verifier: TrialResult["verifier"] };

export type Scene = { task: Task | null; folder: string; world: TrialWorld; sandbox: Sandbox; terminal: Terminal };

/** Judge a trial whose conversation is over and whose agent has ended. */
export async function judgeTrial(scene: Scene, conversation: Conversation, agentEnd: AgentEnd | null): Promise<Judged> {
  const { task, folder } = scene;
  const unjudged = (status: Status, detail: string, reward: number | null): Judged => ({
    status,
    detail,
    reward,
    verifier: null,
  });
  const nothing = task === null ? null : 0;
  if (conversation.end !== "completed")
    return unjudged(conversation.end, conversation.detail, conversation.end === "interrupted" ? null : nothing);
  if (agentEnd?.bySelf && agentEnd.exitCode !== 0) {
    const how = agentEnd.signal === null ? `exit code ${agentEnd.exitCode}` : agentEnd.signal;
    return unjudged("crashed", `the agent said that the task was complete, and then ended with ${how}`, nothing);
  }
  if (task === null) return unjudged("completed", conversation.detail, null);

  const { exitCode } = await runTests(scene, task);
  const logs = join(scene.world.logs, "verifier");
  const logText = readFileSync(logOf(folder), "utf8");
  const { parser, mustReward } = task.tests;
  const { reward, source, note, metrics } = readReward({ logs, logText, exitCode, parser, mustReward });
  mkdirSync(join(folder, "verifier"), { recursive: true });
  cpSync(logs, join(folder, "verifier"), { recursive: true });
  const verifier = { exit_code: exitCode, source, note, ...(metrics === undefined ? {} : { metrics }) };
  return reward >= 1
    ? { status: "passed", detail: conversation.detail, reward, verifier }
    : { status: "failed", detail: note || `the reward is ${reward}`, reward, verifier };
}

/** The tests come into the world now, and run in it: beside the agent's shell, or in it where the task says so. */
async function runTests({ folder, world, sandbox, terminal }: Scene, task: Task): Promise<ExecutionResult> {
  bringTests(task, world);
  const script = sandbox.inside(join(world.tests, testScript(task)));
  const env = {
    ...task.env,
    ...task.tests.env,
    TEST_DIR: sandbox.inside(world.tests),
    LOGS_DIR: sandbox.inside(join(world.logs, "verifier")),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const timeoutMs = task.verifierTimeoutSeconds * 1000;
  if (task.tests.sameShell) {
    const settings = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
    const { output, exitCode, end } = await terminal.run(`${settings.join(" ")} /bin/bash '${script}'`, timeoutMs);
    writeFileSync(logOf(folder), `${output}\n`);
    return { exitCode: end === "timeout" ? null : (exitCode ?? 1) };
  }
  const command = ["/bin/bash", script];
  const { cwd } = sandbox.launch;
  return sandbox.execute({ command, cwd, env, logPath: logOf(folder), timeoutMs }, terminal.pid);
}

function logOf(folder: string): string {
  return join(folder, "verifier.log");
}
