// Tasks in containers where no engine answers: they say what they need. With an engine: engine.test.ts.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./support.ts";

const bin = new URL("../bin/term.mjs", import.meta.url).pathname;
const shipped = new URL("../tasks/hello-world", import.meta.url).pathname;

function write(folder: string, files: Record<string, string>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** A folder whose `docker` and `podman` are this script, first in PATH. */
function withDocker(script: string): { folder: string; term: (...args: string[]) => ReturnType<typeof spawnSync> } {
  const folder = temporaryFolder();
  for (const name of ["docker", "podman"]) {
    write(folder, { [`bin/${name}`]: script });
    chmodSync(join(folder, "bin", name), 0o755);
  }
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
  return {
    folder,
    term: (...args) => spawnSync(process.execPath, [bin, ...args], { cwd: folder, env, encoding: "utf8" }),
  };
}

/** An engine that does not answer, as `docker` itself behaves then. */
const silent = () =>
  withDocker('#!/bin/sh\necho "Cannot connect to the Docker daemon at unix:///var/run/docker.sock." >&2\nexit 1\n');

const harbor = (folder: string) =>
  write(join(folder, "in-image"), {
    "task.toml": '[environment]\nmemory = "512M"\n',
    "instruction.md": "Make it.\n",
    "environment/Dockerfile": "FROM debian:stable\nWORKDIR /srv/task\n",
    "tests/test.sh": '[ "$(cat made.txt)" = made ] && echo 1 > "$LOGS_DIR/reward.txt"\n',
    "solution/solve.sh": "pwd; echo made > made.txt\n",
  });

const terminalBench1 = (folder: string, files: Record<string, string> = {}) =>
  write(join(folder, "bench-one"), {
    "task.yaml": "instruction: Make it.\nparser_name: pytest\n",
    "run-tests.sh": 'bash "$TEST_DIR/check.sh"\n',
    // What pytest prints last; the parser reads it, not the exit code.
    "tests/check.sh": "[ -f made.txt ] && echo '=== 1 passed in 0.01s ===' || echo '=== 1 failed in 0.01s ==='\n",
    "solution.sh": "touch made.txt\n",
    ...files,
  });

const resultsOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "result.json"), "utf8")).results as {
    task: string;
    status: string;
    detail: string;
    reward: number | null;
  }[];

describe("without an engine", () => {
  test("[TERM-TASK-3] tasks in containers say what they need, and count neither as passed nor as failed", () => {
    const { folder, term } = silent();
    const tasks = [
      harbor(folder),
      terminalBench1(folder, { Dockerfile: "FROM debian\n", "docker-compose.yaml": "services:\n  client: {}\n" }),
    ];
    const ran = term("oracle", ...tasks, shipped, "--out", "run");
    expect(ran.status, String(ran.stderr)).toBe(0);
    expect(resultsOf(join(folder, "run")).map(({ task, status, reward }) => [task, status, reward])).toEqual([
      ["in-image", "unsupported", null],
      ["bench-one", "unsupported", null],
      ["hello-world", "passed", 1],
    ]);
    expect(ran.stderr).toMatch(
      /in-image #1.*needs a container \(its environment is a Dockerfile\), and neither docker nor podman answers/,
    );
    expect(ran.stdout).toMatch(/in-image +1 +0 +- +-/);
    expect(ran.stdout).toMatch(/total +3 +1 +100 %/);
    expect(term("oracle", ...tasks, "--out", "only").status).toBe(5);
  });

  test.each([
    ["privileged: true", "its service database has the key privileged"],
    ["volumes: [/etc:/host]", "its service database mounts /etc, which is outside the task's folder"],
    ["volumes: [../..:/host]", "its service database mounts ../.., which is outside the task's folder"],
    ["network_mode: host", "its service database has the key network_mode"],
    ["environment: {KEY: $SECRET}", "it needs the variable SECRET"],
    ["depends_on: [database]", "its service database waits for itself"],
  ])("[TERM-TASK-5] a compose file with `%s` is unsupported", (line, why) => {
    const { folder, term } = silent();
    const compose = `services:\n  client: {}\n  database:\n    image: debian\n    ${line}\n`;
    const task = terminalBench1(folder, { Dockerfile: "FROM debian\n", "docker-compose.yaml": compose });
    const ran = term("null", task, "--out", "run");
    expect([ran.status, resultsOf(join(folder, "run"))[0]?.detail]).toEqual([
      5,
      `term cannot run its docker-compose.yaml: ${why}`,
    ]);
  });

  test("[SANDBOX-CHOICE-1] --sandbox docker is refused with what to do, and leaves nothing", () => {
    const { folder, term } = silent();
    const ran = term("oracle", shipped, "--sandbox", "docker", "--out", "run");
    expect([ran.status, ran.stderr]).toEqual([
      6,
      "term: The sandbox docker does not work here. Start a container engine: `docker info` must succeed.\n",
    ]);
    expect(existsSync(join(folder, "run"))).toBe(false);
  });

  test("[TERM-TASK-1] a Terminal-Bench 1 task without a container runs here, judged by what its tests print", () => {
    const { folder, term } = silent();
    const task = terminalBench1(folder);
    expect(term("oracle", task, "--out", "good").status).toBe(0);
    expect(term("null", task, "--out", "bad").status).toBe(1);
    expect(resultsOf(join(folder, "bad"))[0]).toMatchObject({ status: "failed", reward: 0, detail: "1 failed" });
  });

  test("[TERM-TASK-1] its tests run in the agent's own shell where it says so", () => {
    const { folder, term } = silent();
    const task = terminalBench1(folder, {
      "task.yaml": "instruction: Export it.\nrun_tests_in_same_shell: true\nparser_name: other\n",
      "run-tests.sh": '[ "$EXPORTED" = here ] && pwd && [ -n "$TEST_DIR" ]\n',
    });
    write(folder, {
      "agent.sh": `read -r r\necho '{"command":"export EXPORTED=here; mkdir sub; cd sub","task_complete":true}'\n`,
    });
    const ran = term("run", "--agent", "sh agent.sh", "--task", task, "--out", "run");
    expect([ran.status, readFileSync(join(folder, "run/trials/bench-one.1/verifier.log"), "utf8")]).toEqual([0, "/app/sub\n"]);
  });
});
