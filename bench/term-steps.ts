// The harness's cost per step beside a bare round trip through a pseudo-terminal, and its memory under much output.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentProcess } from "../packages/term/src/agent/agent-process.ts";
import { DEFAULT_LIMITS, runSteps } from "../packages/term/src/run/run-steps.ts";
import { trajectoryWriter } from "../packages/term/src/run/trajectory.ts";
import { makeSandbox } from "../packages/term/src/sandbox/choose-sandbox.ts";
import { spawn } from "../packages/term/src/terminal/pty.ts";
import { Recording } from "../packages/term/src/terminal/recording.ts";
import { Terminal } from "../packages/term/src/terminal/terminal.ts";
import { DEFAULT_SIZE } from "../packages/term/src/terminal/terminal-options.ts";
import { type Benchmark, compare, median, withFolder } from "./measure.ts";

/** A shell without a harness: type a line, wait for what it prints. */
class BareShell {
  readonly #pty = spawn("bash", ["--noprofile", "--norc", "--noediting", "-i"], { env: { PATH: process.env.PATH, PS1: "" } });
  #seen = "";
  #wake: () => void = () => {};

  constructor() {
    this.#pty.onData((data) => {
      this.#seen += data;
      this.#wake();
    });
  }

  async start(): Promise<void> {
    this.#pty.write("stty -echo; PS1=''\n");
    await this.roundTrip(0);
  }

  async roundTrip(number: number): Promise<void> {
    this.#seen = "";
    this.#pty.write(`:; echo "<$((${number} + 1))>"\n`);
    while (!this.#seen.includes(`<${number + 1}>`))
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  close(): void {
    this.#pty.kill("SIGKILL");
  }
}

async function launchIn(folder: string) {
  const spec = {
    base: folder,
    control: join(folder, "control"),
    cwd: folder,
    mounts: [],
    network: false,
    mark: `bench-${process.pid}`,
  };
  return (await makeSandbox("none", { ...spec, memoryMb: null, processes: null, container: null })).launch;
}

async function time(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index++) await work(index);
  return (performance.now() - started) / count;
}

/** Whole steps with a real agent: request, response, command, trajectory, recording. */
async function stepsWithAgent(folder: string, terminal: Terminal, count: number): Promise<number> {
  const script = join(folder, "agent.sh");
  writeFileSync(
    script,
    `i=0\nwhile read -r line; do\n  i=$((i + 1))\n  [ $i -gt ${count} ] && echo '{"task_complete":true}' && exit\n  echo '{"command":":"}'\ndone\n`,
  );
  const agent = new AgentProcess({
    command: `exec sh ${script}`,
    cwd: folder,
    mark: `bench-agent-${process.pid}`,
    logPath: join(folder, "agent.log"),
  });
  const started = performance.now();
  await runSteps({
    agent,
    terminal,
    instruction: "x",
    limits: { ...DEFAULT_LIMITS, maxSteps: count + 1 },
    write: trajectoryWriter(join(folder, "steps.jsonl")),
  });
  const each = (performance.now() - started) / count;
  await agent.stop();
  return each;
}

export const termSteps: Benchmark = {
  name: "term steps",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const count = quick ? 50 : 300;
      mkdirSync(join(folder, "trial"));
      const recording = new Recording(join(folder, "trial", "terminal.cast"), DEFAULT_SIZE);
      const terminal = await Terminal.start({
        launch: await launchIn(folder),
        size: DEFAULT_SIZE,
        outputLimitBytes: 10_000,
        recording,
      });
      const bare = new BareShell();
      await bare.start();
      const [limits, commands, steps]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < 5; round++) {
        limits.push(await time(count, (index) => bare.roundTrip(index)));
        commands.push(await time(count, () => terminal.run(":", 5_000)));
        steps.push(await stepsWithAgent(folder, terminal, count));
      }
      bare.close();
      const before = process.memoryUsage().rss;
      const megabytes = quick ? 20 : 100;
      const started = performance.now();
      const { omittedBytes } = await terminal.run(`yes 'some output of a program' | head -c ${megabytes}M`, 120_000);
      const seconds = (performance.now() - started) / 1000;
      const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
      await terminal.close();
      await recording.close();
      const baseline = { name: "bare pseudo-terminal round trip", value: median(limits) };
      return [
        compare(
          { name: "what the harness adds to one command", value: median(commands) - median(limits), unit: "ms", baseline },
          { most: 2 },
        ),
        { name: "one whole step with an agent process", value: median(steps), unit: "ms", baseline },
        { name: "whole steps", value: 1000 / median(steps), unit: "/s" },
        { name: `${megabytes} MB of output, ${omittedBytes} bytes omitted`, value: megabytes / seconds, unit: "MB/s" },
        { name: `memory grown by ${megabytes} MB of output`, value: grown, unit: "MB" },
      ];
    }),
};
