// Containers for real, with Docker and with Podman: an engine that answers here, or one that these tests start. Where there is none,
// one test says so in its name and shows what a user sees instead.
import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { TrajectoryEntry } from "../src/run/trajectory.ts";
import type { TrialResult } from "../src/run/trial-result.ts";
import { ENGINE_KINDS, type EngineKind, findEngine } from "../src/sandbox/container-engine.ts";
import { type Engine, IMAGE, startEngine } from "./container-engine.ts";
import { lineAgent, processesWith, temporaryFolder } from "./support.ts";

const bin = new URL("../bin/term.mjs", import.meta.url).pathname;
const shipped = new URL("../tasks/hello-world", import.meta.url).pathname;
const engines = await Promise.all(ENGINE_KINDS.map(async (kind) => ({ kind, engine: await startEngine(kind) })));

function write(folder: string, files: Record<string, string>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** A Harbor task whose image has a user, a folder and files of its own. */
const harbor = (folder: string) =>
  write(join(folder, "in-image"), {
    "task.toml": '[environment]\nmemory = "256M"\ncpus = 1\nbuild_timeout_sec = 60\nnetwork_mode = "no-network"\n',
    "instruction.md": "Make it.\n",
    "environment/Dockerfile": `FROM ${IMAGE}\nWORKDIR /srv/task\nCOPY given.txt .\nRUN mkdir out && chown 1000:1000 out\nUSER 1000\n`,
    "environment/given.txt": "given\n",
    "tests/test.sh": `[ "$(cat out/made.txt)" = "$(cat "$TEST_DIR/expected.txt")" ]; echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"\n`,
    "tests/expected.txt": "given\n",
    "solution/solve.sh": "cat given.txt > out/made.txt\n",
  });

const running = (engine: Engine) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "tmp"));
  const options = { cwd: folder, env: { ...engine.env, TMPDIR: join(folder, "tmp"), NO_COLOR: "1" } };
  const trial = (name: string) => join(folder, "run/trials", name);
  return {
    folder,
    start: (...args: string[]) => spawn(process.execPath, [bin, ...args], { ...options, stdio: "ignore" }),
    /** Beside others: an engine waits for the disk and the kernel most of the time. */
    term: (...args: string[]) =>
      promisify(execFile)(process.execPath, [bin, ...args], options).then(
        ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => ({ status: code as number, stdout: String(stdout), stderr: String(stderr) }),
      ),
    result: (name: string) => JSON.parse(readFileSync(join(trial(name), "result.json"), "utf8")) as TrialResult,
    steps: (name: string) =>
      readFileSync(join(trial(name), "trajectory.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as TrajectoryEntry),
    containers: () => engine.call("ps", "--all", "--quiet", "--filter", `volume=${join(folder, "work")}`),
    leftovers: () => [readdirSync(join(folder, "tmp")), processesWith(folder)],
  };
};

for (const { kind, engine } of engines)
  if (typeof engine === "string")
    test(`[TERM-TASK-3] ${kind} cannot be had here (${engine}): a task that needs it says so and is not counted`, () => {
      const folder = temporaryFolder();
      const ran = spawnSync(process.execPath, [bin, "oracle", harbor(folder), "--sandbox", kind, "--out", "run"], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, PATH: "/nonexistent" },
      });
      expect([ran.status, ran.stderr]).toEqual([6, expect.stringContaining(`The sandbox ${kind} does not work here.`)]);
    });
  else inEngine(kind, engine);

function inEngine(kind: EngineKind, engine: Engine): void {
  const limited = findEngine(kind)?.limits.memory ?? true;
  describe(`in ${kind}`, () => {
    afterAll(() => engine.stop());

    describe.concurrent("tasks", { timeout: 180_000 }, () => {
      test("[TERM-TASK-4, TERM-TASK-6] a task's image is built, its solution passes, doing nothing fails, and no container is left", async () => {
        const { folder, term, result, leftovers } = running(engine);
        const task = harbor(folder);
        const oracle = await term("oracle", task, "--sandbox", kind, "--out", "run");
        expect(oracle.status, oracle.stderr).toBe(0);
        expect(result("in-image.1")).toMatchObject({
          status: "passed",
          reward: 1,
          sandbox: { kind, limits: limited ? kind : "absent", network: false },
          verifier: { source: "reward.txt" },
        });
        expect((await term("null", task, "--sandbox", kind, "--out", "null", "--quiet")).status).toBe(1);
        expect(leftovers()).toEqual([[], []]);
      });

      test("[TERM-TASK-4] the shell lasts, has the image's user, no network, limits, and no test before its time", async () => {
        const { folder, term, steps } = running(engine);
        const agent = lineAgent(folder, [
          { command: "export KEPT=here; f() { echo f; }; cd out; sleep 300 & pwd; id -u" },
          { command: "echo $KEPT; f; jobs; stty size; false" },
          { command: "ls -A /tests /logs/verifier /solution; touch /.term/x /usr/x" },
          { command: "grep -c : /proc/net/dev; grep -o 'lo:' /proc/net/dev" },
          { command: "cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null" },
          { command: "cat ../given.txt > made.txt; ls -A /root /home 2>&1 | grep -c hap", task_complete: true },
        ]);
        const ran = await term("run", "--agent", agent, "--task", harbor(folder), "--sandbox", kind, "--out", "run");
        expect(ran.status, ran.stderr).toBe(0);
        const seen = steps("in-image.1").map(({ output, exit_code }) => [output, exit_code]);
        expect(seen.slice(0, 5)).toEqual([
          ["/srv/task/out\n1000", 0],
          [expect.stringMatching(/^here\nf\n\[1\]\+ +Running +sleep 300 &\n40 160$/), 1],
          [expect.stringMatching(/^\/logs\/verifier:\n\n\/solution:\n\n\/tests:\ntouch: .*\ntouch: .*$/), 1],
          ["1\nlo:", 0],
          limited ? [String(256 * 1024 * 1024), expect.any(Number)] : [expect.any(String), expect.any(Number)],
        ]);
      });

      test("[TERM-LIMIT-1] what takes too long in a container is ended in there, by force if need be, and jobs live on", async () => {
        const { folder, term, steps, containers } = running(engine);
        mkdirSync(join(folder, "work"));
        const stubborn = "trap '' INT TERM HUP; while :; do sleep 0.05; done";
        const agent = lineAgent(folder, [
          { command: "KEPT=here; sleep 301 &" },
          { command: `bash -c "${stubborn}"` },
          { command: "echo $KEPT; jobs" },
          { command: stubborn },
          { command: 'echo "[$KEPT]"; cd /proc; for p in [0-9]*; do read -r n < $p/comm; echo $n; done; cd ~-; true' },
          { command: "kill -9 -1; while :; do :; done" },
          { command: "echo again > made.txt; cat made.txt", task_complete: true },
        ]);
        const image = ["--sandbox", kind, "--image", IMAGE, "--cwd", "work", "--command-timeout", "2"];
        const ran = await term("run", "--agent", agent, "--instruction", "Go on.", ...image, "--out", "run");
        expect(ran.status, ran.stderr).toBe(0);
        const [, killed, after, shellKilled, listed, all, last] = steps("instruction.1");
        expect([killed?.exit_code, killed?.output]).toEqual([124, expect.stringMatching(/was stopped after 2 s\.$/)]);
        expect(after?.output).toMatch(/^here\n\[1\]\+ +Running +sleep 301 &$/);
        expect([shellKilled?.exit_code, shellKilled?.output]).toEqual([
          124,
          expect.stringMatching(/The shell had to be replaced/),
        ]);
        // The container's first process, the job, the shell's parent, the shell: nothing of what was stopped.
        expect(listed?.output?.split("\n")).toEqual(["[]", "bash", "sleep", "sh", "bash"]);
        expect(all?.output).toMatch(
          /^\[term\] The .* (A new one was started|The shell had to be replaced by a new one) in .*\/work\b/,
        );
        expect([last?.output, readFileSync(join(folder, "work/made.txt"), "utf8")]).toEqual(["again", "again\n"]);
        expect(containers()).toBe("");
      });

      test("[TERM-TASK-4] --image is for what brings none, with the work folder at /app; without one it is asked for", async () => {
        const { folder, term } = running(engine);
        const without = await term("oracle", shipped, "--sandbox", kind, "--out", "run");
        expect([without.status, without.stderr]).toEqual([2, expect.stringMatching(/has no image\. Name one with --image NAME/)]);
        expect(existsSync(join(folder, "run"))).toBe(false);
        expect((await term("oracle", shipped, "--image", IMAGE)).stderr).toBe(
          "term: --image needs --sandbox docker or --sandbox podman.\n",
        );
        const ran = await term("oracle", shipped, "--sandbox", kind, "--image", IMAGE, "--out", "run");
        expect(ran.status, ran.stderr).toBe(0);
        expect(readFileSync(join(folder, "run/trials/hello-world.1/trajectory.jsonl"), "utf8")).toContain('"cwd":"/app"');
      });

      test("[TERM-TASK-1] a Terminal-Bench 1 task runs in its image, its tests in the agent's own shell", async () => {
        const { folder, term, result } = running(engine);
        const task = write(join(folder, "bench-one"), {
          "task.yaml": "instruction: Export it.\nrun_tests_in_same_shell: true\nparser_name: pytest\n",
          Dockerfile: `FROM ${IMAGE}\nWORKDIR /app\n`,
          "docker-compose.yaml": "services:\n  client:\n    build: .\n",
          "run-tests.sh": 'bash "$TEST_DIR/check.sh"\n',
          "tests/check.sh": `[ "$WORD" = said ] && echo '=== 1 passed in 0.01s ===' || echo '=== 1 failed in 0.01s ==='\n`,
          "solution.sh": "export WORD=said\n",
        });
        const agent = lineAgent(folder, [{ command: "export WORD=said; cd /tmp", task_complete: true }]);
        const ran = await term("run", "--agent", agent, "--task", task, "--sandbox", kind, "--out", "run");
        expect([ran.status, result("bench-one.1").verifier]).toEqual([0, { exit_code: 0, source: "pytest", note: "1 passed" }]);
      });

      test("[TERM-TASK-5] the services of a compose file run beside the agent's container, and end with it", async () => {
        const { folder, term, steps } = running(engine);
        const task = write(join(folder, "several"), {
          "task.yaml": "instruction: Read it.\nparser_name: other\n",
          Dockerfile: `FROM ${IMAGE}\nWORKDIR /app\nENTRYPOINT ["bash", "-c", "echo began > /tmp/entry; exec \\"$@\\"", "bash"]\n`,
          "docker-compose.yaml": `services:
  client:
    build: {dockerfile: Dockerfile}
    image: \${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}
    container_name: \${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}
    command: ["sh", "-c", "sleep infinity"]
    environment: ["TEST_DIR=\${T_BENCH_TEST_DIR}", "SET=by compose"]
    volumes: ["\${T_BENCH_TASK_LOGS_PATH}:\${T_BENCH_CONTAINER_LOGS_PATH}", "shared:/shared:ro", "./given:/given:ro"]
    depends_on: {store: {condition: service_healthy}}
  store:
    build: {context: ., dockerfile: Dockerfile.store}
    command: bash -c 'cat /first > /shared/word; sleep 304'
    volumes: ["shared:/shared", "./given/first:/first:ro"]
    depends_on: {prepare: {condition: service_completed_successfully}}
    healthcheck: {test: ["CMD", "grep", "-q", "given", "/shared/word"], interval: 200ms, retries: 50}
  prepare:
    image: ${IMAGE}
    command: ["bash", "-c", "echo done > /shared/prepared"]
    volumes: ["shared:/shared"]
volumes: {shared: {}}
`,
          "Dockerfile.store": `FROM ${IMAGE}\n`,
          "given/first": "given\n",
          "run-tests.sh": '[ "$(cat answer)" = given ]\n',
          "tests/none": "",
          "solution.sh": "cat /shared/word > answer\n",
        });
        const agent = lineAgent(folder, [
          {
            command:
              "cat /shared/word /shared/prepared /given/first; echo $SET; while [ ! -s /tmp/entry ]; do :; done; cat /tmp/entry",
          },
          // Nothing listens there: the answer shows that the name leads to the service.
          { command: "echo > /dev/tcp/store/9" },
          { command: "touch /given/x; cat /shared/word > answer", task_complete: true },
        ]);
        const ran = await term("run", "--agent", agent, "--task", task, "--sandbox", kind, "--out", "run");
        expect(ran.status, ran.stderr + ran.stdout).toBe(0);
        const [first, second, third] = steps("several.1");
        expect(first?.output).toBe("given\ndone\ngiven\nby compose\nbegan");
        expect(second?.output).toMatch(/Connection refused/);
        expect(third?.output).toMatch(/Read-only file system/);
        for (const list of [
          ["ps", "--all"],
          ["volume", "ls"],
          ["network", "ls"],
        ])
          expect(engine.call(...list)).not.toMatch(/hap-term-[0-9a-f]+-(?:store|prepare|volume)/);
      });

      test.each([
        ["SIGKILL", null],
        ["SIGINT", 130],
      ] as const)("[TERM-CLEAN-1] %s in the middle leaves no container", async (signal, code) => {
        const { folder, start, containers, leftovers } = running(engine);
        mkdirSync(join(folder, "work"));
        const agent = lineAgent(folder, [{ command: "sleep 302 & touch begun; sleep 303" }]);
        const image = ["--sandbox", kind, "--image", IMAGE, "--cwd", "work"];
        const child = start("run", "--agent", agent, "--instruction", "Wait.", ...image, "--out", "run");
        const exited = new Promise((resolve) => child.once("exit", resolve));
        while (!existsSync(join(folder, "work/begun"))) await sleep(50);
        expect(containers()).not.toBe("");
        child.kill(signal);
        expect(await exited).toBe(code);
        while (containers() !== "") await sleep(50);
        if (signal === "SIGINT") expect(leftovers()).toEqual([[], []]);
      });

      test("[TERM-TASK-4] an image that cannot be built or started is an error with the engine's words, not a failure", async () => {
        const { folder, term, result } = running(engine);
        const task = harbor(folder);
        write(task, { "environment/Dockerfile": `FROM ${IMAGE}\nRUN grep nothing /etc/passwd\n` });
        const built = await term("oracle", task, "--sandbox", kind, "--out", "run");
        expect([built.status, result("in-image.1")]).toMatchObject([6, { status: "error", reward: null }]);
        expect(readFileSync(join(folder, "run/trials/in-image.1/build.log"), "utf8")).toMatch(/grep nothing/);
        const image = ["--sandbox", kind, "--image", "hap-term-test-of-nobody:none", "--out", "none"];
        const started = await term("run", "--agent", "true", "--instruction", "x", ...image);
        expect([started.status, started.stderr]).toEqual([
          6,
          expect.stringMatching(/did not start from hap-term-test-of-nobody:none: /),
        ]);
      });
    });

    test("[TERM-CLEAN-1] after all this the engine has no container of ours", () => {
      expect(engine.call("ps", "--all", "--filter", "name=hap-term-", "--format", "{{.Names}} {{.Image}}")).toBe("");
    });
  });
}
