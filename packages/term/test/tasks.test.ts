// Tasks: what is read from their folders, how they are judged, and the shipped ones against their own solutions.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runAll } from "../src/run/run-all.ts";
import { readReward } from "../src/tasks/read-reward.ts";
import { readTask } from "../src/tasks/read-task.ts";
import { lineAgent, requestsOf, runAgent, runOptions, temporaryFolder } from "./support.ts";

const shipped = new URL("../tasks/", import.meta.url).pathname;

function taskFolder(files: Record<string, string>): string {
  const folder = join(temporaryFolder(), "my-task");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const plain = { "instruction.md": "Do it.\n", "tests/test.sh": "[ -f done ]\n" };

describe("reading", () => {
  test("[TERM-TASK-1] a Harbor task; unknown keys are ignored", () => {
    const task = readTask(
      taskFolder({
        ...plain,
        "task.toml":
          'version = "1.0"\nlater = 1\n[metadata]\ndifficulty = "hard"\n[agent]\ntimeout_sec = 900.0\n[verifier]\ntimeout_sec = 120.0\n[environment]\nbuild_timeout_sec = 600.0\ncpus = 1\nmemory = "2G"\nstorage = "10G"\n',
        "environment/Dockerfile": "FROM debian\n",
        "solution/solve.sh": "touch done\n",
      }),
    );
    expect(task).toMatchObject({
      format: "harbor",
      name: "my-task",
      instruction: "Do it.",
      difficulty: "hard",
      agentTimeoutSeconds: 900,
    });
    expect(task).toMatchObject({ verifierTimeoutSeconds: 120, memoryMb: 2048, container: "its environment is a Dockerfile" });
    expect(task.solution).toMatchObject({ kind: "script", script: "solve.sh" });
  });

  test("[TERM-TASK-1] a Terminal-Bench 1 task, with its defaults", () => {
    const files = {
      "task.yaml": "instruction: |-\n  Do it.\n  Well.\nauthor: x\n",
      "run-tests.sh": "pytest $TEST_DIR\n",
      "tests/test_outputs.py": "",
    };
    const task = readTask(taskFolder({ ...files, "docker-compose.yaml": "", "solution.sh": "touch done\n" }));
    expect(task).toMatchObject({
      format: "terminal-bench-1",
      instruction: "Do it.\nWell.",
      agentTimeoutSeconds: 360,
      verifierTimeoutSeconds: 60,
    });
    expect(task.tests.parser).toBe("pytest");
    expect(task.container).toBe("its environment is a container");
  });

  test("[TERM-TASK-1] says what is missing", () => {
    expect(() => readTask(temporaryFolder())).toThrow(/is not a task: expected task\.toml/);
    expect(() => readTask(taskFolder({ "instruction.md": "x" }))).toThrow(/test\.sh is missing/);
    expect(() => readTask(taskFolder({ ...plain, "task.toml": "= 1" }))).toThrow(/task\.toml cannot be read/);
    expect(() => readTask(taskFolder({ "task.yaml": "a: 1", "run-tests.sh": "" }))).toThrow(/has no instruction/);
  });
});

describe("rewards", () => {
  const reward = (
    files: Record<string, string>,
    input: { exitCode?: number | null; logText?: string; parser?: "exit" | "pytest"; mustReward?: boolean } = {},
  ) => {
    const logs = temporaryFolder();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(logs, name), content);
    const { reward: value, source } = readReward({ logs, logText: "", exitCode: 0, parser: "exit", mustReward: false, ...input });
    return [value, source];
  };
  const ctrf = (tests: number, passed: number) => JSON.stringify({ results: { summary: { tests, passed } } });

  test("[TERM-TASK-1] in this order: reward.txt, CTRF, pytest, the exit code", () => {
    expect(reward({ "reward.txt": "0.25\n", "ctrf.json": ctrf(1, 1) })).toEqual([0.25, "reward.txt"]);
    expect(reward({ "ctrf.json": ctrf(3, 3) }, { exitCode: 1 })).toEqual([1, "ctrf"]);
    expect(reward({ "ctrf.json": ctrf(3, 2) })).toEqual([0, "ctrf"]);
    expect(reward({}, { parser: "pytest", logText: "=== 2 passed in 0.05s ===\n", exitCode: 1 })).toEqual([1, "pytest"]);
    expect(reward({}, { parser: "pytest", logText: "=== 1 failed, 2 passed in 0.05s ===\n" })).toEqual([0, "pytest"]);
    expect(reward({}, { parser: "pytest", logText: "1 passed, 1 error in 1.2s\n" })).toEqual([0, "pytest"]);
    expect(reward({})).toEqual([1, "exit code"]);
    expect(reward({}, { exitCode: 2 })).toEqual([0, "exit code"]);
  });

  test("[TERM-REWARD-1] several metrics: `reward` counts, else the lowest, and of two files the lower one", () => {
    expect(reward({ "reward.json": '{"reward": 1, "speed": 0.2}' })).toEqual([1, "reward.json"]);
    expect(reward({ "reward.json": '{"accuracy": 1, "speed": 0.5}' })).toEqual([0.5, "reward.json"]);
    expect(reward({ "reward.txt": "accuracy: 1\nspeed = 0\n" })).toEqual([0, "reward.txt"]);
    expect(reward({ "reward.json": "1" })).toEqual([1, "reward.json"]);
    expect(reward({ "reward.json": '{"reward": 1}', "reward.txt": "0" })).toEqual([0, "reward.txt"]);
    for (const content of ["{", "[]", '{"reward": "1"}', '{"reward": 2}', "{}", "null", "true"])
      expect(reward({ "reward.json": content }), content).toEqual([0, "reward.json"]);
    for (const content of ["1\n0\n", "1 0", "0x1", "1 # well"])
      expect(reward({ "reward.txt": content }), content).toEqual([0, "reward.txt"]);
  });

  test("[TERM-REWARD-2] a task that must leave a reward and leaves none is in error, whatever its tests ended with", () => {
    for (const exitCode of [0, 1]) expect(() => reward({}, { mustReward: true, exitCode })).toThrow(/left no reward/);
    expect(reward({ "ctrf.json": ctrf(2, 2) }, { mustReward: true })).toEqual([1, "ctrf"]);
  });

  test("[TERM-TASK-1] nonsense and lateness are worth nothing", () => {
    for (const content of ["", "yes", "7", "-1", "NaN"])
      expect(reward({ "reward.txt": content }), content).toEqual([0, "reward.txt"]);
    expect(reward({ "ctrf.json": "{" })).toEqual([1, "exit code"]);
    expect(reward({ "ctrf.json": ctrf(0, 0) })).toEqual([0, "ctrf"]);
    expect(reward({ "reward.txt": "1" }, { exitCode: null })).toEqual([0, "timeout"]);
  });
});

describe("running", () => {
  test("[TERM-TASK-1] tests and solution are hidden until they are due, and prepared rewards do not count", async () => {
    const folder = temporaryFolder();
    const task = taskFolder({
      ...plain,
      "solution/solve.sh": "touch done\n",
      "environment/given.txt": "given",
      "environment/setup.sh": "touch prepared\n",
    });
    const command =
      "ls -1A . /tests /solution /logs/verifier; mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt; echo 'exit 0' > /tests/test.sh";
    const { result } = await runAgent(lineAgent(folder, [{ command }, { task_complete: true }]), {
      task,
      work: { kind: "tasks", folders: [task] },
      sandbox: "auto",
    });
    expect(requestsOf(folder)[1]?.output).toBe(".:\ngiven.txt\nprepared\n\n/logs/verifier:\n\n/solution:\n\n/tests:");
    expect([result.status, result.reward, result.verifier?.source]).toEqual(["failed", 0, "exit code"]);
  });

  const harbor = (toml: string, script: string, more: Record<string, string> = {}) =>
    taskFolder({ "instruction.md": "Do it.\n", "task.toml": `version = "1.0"\n${toml}`, "tests/test.sh": script, ...more });
  const judged = async (task: string, sandbox: "auto" | "none" = "auto", command = "true") => {
    const folder = temporaryFolder();
    const agent = lineAgent(folder, [{ command }, { task_complete: true }]);
    const { result } = await runAgent(agent, { task, work: { kind: "tasks", folders: [task] }, sandbox });
    return { result, output: () => requestsOf(folder)[1]?.output };
  };

  test("[TERM-REWARD-2] a Harbor task without a reward is an error, and its metrics are kept", async () => {
    const silent = await judged(harbor("", "true\n"));
    expect([silent.result.status, silent.result.reward]).toEqual(["error", null]);
    expect(silent.result.detail).toContain("left no reward");
    const several = await judged(harbor("", `echo '{"reward": 0.5, "lint": 1}' > "$LOGS_DIR/reward.json"\n`));
    expect(several.result).toMatchObject({ status: "failed", reward: 0.5, verifier: { metrics: { reward: 0.5, lint: 1 } } });
  });

  test("[TERM-REWARD-3] without a sandbox, tests that write to /logs are not run, and no zero becomes a pass", async () => {
    const task = harbor("", "mkdir -p /logs/verifier; echo 0 > /logs/verifier/reward.txt\n");
    const { result } = await judged(task, "none");
    expect(result).toMatchObject({
      status: "unsupported",
      reward: null,
      detail: expect.stringContaining("use another --sandbox"),
    });
    expect((await judged(task, "auto")).result).toMatchObject({ status: "failed", reward: 0 });
  });

  test("[TERM-HARBOR-1] its variables reach the agent's commands and the tests, and its workdir is where both begin", async () => {
    const task = harbor(
      `[environment]\nworkdir = "/srv/app"\nenv = { MODE = "it's a test", LEVEL = 3 }\n[verifier.env]\nSECRET = "\${HAP_TERM_TEST_NONE:-told}"\n`,
      `[ "$MODE $LEVEL $SECRET $PWD" = "it's a test 3 told /srv/app" ]; echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"\n`,
    );
    const { result, output } = await judged(task, "auto", `echo "$MODE $LEVEL \${SECRET-hidden} $PWD"`);
    expect(output()).toBe("it's a test 3 hidden /srv/app");
    expect(result).toMatchObject({ status: "passed", reward: 1 });
  });

  test("[TERM-HARBOR-1] says what is wrong with its keys, and reads those that only a container can honour", () => {
    expect(readTask(harbor('[environment]\nnetwork_mode = "allowlist"\n', "")).unsupported).toMatch(/public and no-network/);
    expect(() => readTask(harbor('[environment]\nworkdir = "app"\n', ""))).toThrow(/must begin with \//);
    expect(() => readTask(harbor(`[verifier.env]\nKEY = "\${HAP_TERM_TEST_NONE}"\n`, ""))).toThrow(
      /HAP_TERM_TEST_NONE, which is not set/,
    );
    const task = readTask(
      harbor('[environment]\ndocker_image = "debian:stable"\nnetwork_mode = "public"\ncpus = 2\nmemory_mb = 512\n', ""),
    );
    expect(task).toMatchObject({ image: "debian:stable", network: true, cpus: 2, memoryMb: 512 });
    expect(task.container).toContain("the image debian:stable");
    expect(readTask(harbor('[environment]\nnetwork_mode = "no-network"\nallow_internet = true\n', "")).network).toBe(false);
  });

  test("[TERM-TASK-1] a Terminal-Bench 1 task without run-tests.sh runs pytest over its tests", () => {
    const task = readTask(taskFolder({ "task.yaml": "instruction: Do it\n", "tests/test_outputs.py": "def test_it(): pass\n" }));
    expect(task.tests).toMatchObject({ script: null, parser: "pytest" });
  });

  test("[TERM-BROKEN-1] a task that cannot be read fails alone", async () => {
    const [good, bad] = [harbor("", 'echo 1 > "$LOGS_DIR/reward.txt"\n'), taskFolder({ "task.toml": "= broken" })];
    const options = runOptions({ agent: { kind: "null" }, work: { kind: "tasks", folders: [bad, good] }, sandbox: "auto" });
    const results = await runAll({
      ...{ folder: temporaryFolder(), options, gate: undefined as never },
      ...{ signal: new AbortController().signal, onTrial: () => {} },
    });
    expect(results.map(({ status }) => status)).toEqual(["error", "passed"]);
    expect(results.map(({ task }) => task)).toEqual(["my-task", "my-task-2"]);
    expect(results[0]?.detail).toContain("task.toml cannot be read");
  });

  test("[TERM-TASK-1] a failed set-up is an error of the environment, not of the agent", async () => {
    const task = taskFolder({ ...plain, "environment/setup.sh": "echo broken; exit 5\n" });
    const { result } = await runAgent("true", { task, work: { kind: "tasks", folders: [task] }, agent: { kind: "null" } });
    expect([result.status, result.detail, result.reward]).toEqual([
      "error",
      expect.stringMatching(/set-up ended with 5.*broken/),
      null,
    ]);
  });

  test("[TERM-TASK-3] what needs a container or a missing program says so and is not counted", async () => {
    const container = taskFolder({ ...plain, "environment/Dockerfile": "FROM debian\n" });
    const run = (task: string) =>
      runAgent("true", { task, work: { kind: "tasks", folders: [task] }, agent: { kind: "null" }, sandbox: "none" });
    const first = (await run(container)).result;
    expect([first.status, first.detail, first.reward]).toEqual(["unsupported", expect.stringMatching(/needs a container/), null]);
    const program = taskFolder({ ...plain, "task.toml": '[environment]\nrequires = ["sh", "no-such-program"]\n' });
    const second = (await run(program)).result;
    expect([second.status, second.detail]).toEqual([
      "unsupported",
      "the task needs programs that are not installed: no-such-program",
    ]);
  });
});

describe("the shipped tasks", () => {
  const names = readdirSync(shipped);

  test("[TERM-TASK-2] are at least twenty, over every field", () => {
    expect(names.length).toBeGreaterThanOrEqual(20);
  });

  test.each(names)("[TERM-TASK-2] %s: its solution has 1, doing nothing has 0", async (name) => {
    const task = join(shipped, name);
    const run = (kind: "oracle" | "null") =>
      runAgent("true", { task, work: { kind: "tasks", folders: [task] }, agent: { kind }, sandbox: "auto" });
    const solved = (await run("oracle")).result;
    expect([solved.status, solved.reward, solved.detail]).toEqual(["passed", 1, ""]);
    const idle = (await run("null")).result;
    expect([idle.status, idle.reward]).toEqual(["failed", 0]);
  });
});
