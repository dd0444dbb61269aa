// Tasks: what is read from their folders, how they are judged, and the shipped ones against their own solutions.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readReward } from "../src/tasks/read-reward.ts";
import { readTask } from "../src/tasks/read-task.ts";
import { lineAgent, requestsOf, runAgent, temporaryFolder } from "./support.ts";

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
    expect(task.solution?.script).toBe("solve.sh");
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
    expect(() => readTask(temporaryFolder())).toThrow(/is no task: expected task\.toml/);
    expect(() => readTask(taskFolder({ "instruction.md": "x" }))).toThrow(/test\.sh is missing/);
    expect(() => readTask(taskFolder({ ...plain, "task.toml": "= 1" }))).toThrow(/task\.toml cannot be read/);
    expect(() => readTask(taskFolder({ "task.yaml": "a: 1", "run-tests.sh": "" }))).toThrow(/has no instruction/);
  });
});

describe("rewards", () => {
  const reward = (
    files: Record<string, string>,
    input: { exitCode?: number | null; logText?: string; parser?: "exit" | "pytest" } = {},
  ) => {
    const logs = temporaryFolder();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(logs, name), content);
    const { reward: value, source } = readReward({ logs, logText: "", exitCode: 0, parser: "exit", ...input });
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
