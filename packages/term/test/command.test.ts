// The `term` command as its users see it: runs, exit codes, resuming, reports, replays, new things.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { summarise, wilson } from "../src/report/summarise.ts";
import { exitCodeOf, type TrialResult } from "../src/run/trial-result.ts";
import { spawn as spawnTerminal } from "../src/terminal/pty.ts";
import { Screen } from "../src/terminal/screen.ts";
import { processesWith, temporaryFolder } from "./support.ts";

const bin = new URL("../bin/term.mjs", import.meta.url).pathname;
const root = new URL("../../../", import.meta.url).pathname;

/** A folder with an agent of plain shell, which answers in no time. */
function workshop(): string {
  const folder = temporaryFolder();
  const script = (lines: string[]) => `${lines.map((line) => `read -r request\necho '${line}'`).join("\n")}\n`;
  writeFileSync(
    join(folder, "hello.sh"),
    script(['{"command":"echo \\"Hello, world!\\" > hello.txt"}', '{"command":null,"task_complete":true}']),
  );
  writeFileSync(join(folder, "wrong.sh"), script(['{"command":"echo hello > hello.txt","task_complete":true}']));
  writeFileSync(join(folder, "crash.sh"), "read -r request\nexit 9\n");
  writeFileSync(join(folder, "silent.sh"), "sleep 60\n");
  mkdirSync(join(folder, "tmp"));
  return folder;
}

function term(folder: string, ...args: string[]) {
  const env = { ...process.env, TMPDIR: join(folder, "tmp"), NO_COLOR: "1" };
  return spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: "utf8", env });
}

const hello = join(root, "packages/term/tasks/hello-world");
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8")) as Record<string, unknown>;

describe("term run", () => {
  test("[TERM-RESULT-1] leaves a result, a trajectory, logs and an asciicast, and says how it went", () => {
    const folder = workshop();
    const ran = term(folder, "run", "--agent", "echo started >&2; sh hello.sh", "--task", hello, "--out", "run");
    expect([ran.status, ran.stderr]).toEqual([0, expect.stringMatching(/started\npassed +hello-world #1 {2}2 steps/)]);
    expect(ran.stdout).toMatch(/hello-world +1 +1 +100 %/);
    const trial = join(folder, "run/trials/hello-world.1");
    expect(readdirSync(trial).sort()).toEqual([
      "agent.log",
      "atif.json",
      "result.json",
      "terminal.cast",
      "trajectory.jsonl",
      "verifier",
      "verifier.log",
    ]);
    expect(readJson(trial, "result.json")).toMatchObject({ status: "passed", reward: 1, steps: 2, agent: { exit_code: 0 } });
    expect(readJson(folder, "run/result.json")).toMatchObject({ trials: 1, finished: 1 });
    expect(readFileSync(join(trial, "agent.log"), "utf8")).toBe("started\n");
    const [header, ...events] = readFileSync(join(trial, "terminal.cast"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({ version: 2, width: 160, height: 40 });
    expect(events[0]).toEqual([expect.any(Number), "o", expect.stringContaining("Hello, world!")]);
    expect(term(folder, "run", "--agent", "x", "--task", hello, "--out", "run").stderr).toMatch(/holds a run already/);
  });

  test("[TERM-RESULT-1] a crash, a timeout, a wrong answer and wrong usage have exit codes of their own", () => {
    const folder = workshop();
    const run = (...args: string[]) => term(folder, "run", "--task", hello, ...args).status;
    expect(run("--agent", "sh wrong.sh")).toBe(1);
    expect(run("--agent", "sh crash.sh")).toBe(3);
    expect(run("--agent", "sh silent.sh", "--response-timeout", "0.5")).toBe(4);
    expect(run()).toBe(2);
    expect(run("--agent", "x", "--sandbox", "glass")).toBe(2);
    expect(run("--agent", "x", "--trials", "none")).toBe(2);
    expect(run("--agent", "x", "--gate", "sometimes")).toBe(2);
    expect(term(folder, "run", "--agent", "x", "--task", folder).status).toBe(2);
    expect(term(folder, "--help").status).toBe(0);
    const of = (...statuses: TrialResult["status"][]) => exitCodeOf(statuses.map((status) => ({ status })));
    expect([of("passed"), of("unsupported"), of("unsupported", "passed"), of("passed", "error"), of("interrupted")]).toEqual([
      0, 5, 0, 6, 130,
    ]);
  });

  test("[TERM-CLEAN-1] a hundred trials, two at a time, leave no process and no folder behind", { timeout: 120_000 }, () => {
    const folder = workshop();
    const ran = term(
      folder,
      "run",
      "--agent",
      "sh hello.sh",
      "--task",
      hello,
      "--trials",
      "100",
      "--jobs",
      "2",
      "--out",
      "run",
      "--quiet",
    );
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringMatching(/hello-world +100 +100 +100 % +96 %\.\.100 %/)]);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
    expect(processesWith(folder)).toEqual([]);
  });

  test("[TERM-PROGRESS-1] on a terminal a bar grows below the finished trials, and is gone at the end", async () => {
    const folder = workshop();
    const args = [bin, "run", "--agent", "sh hello.sh", "--task", hello, "--trials", "4", "--jobs", "2", "--out", "run"];
    const env = { ...process.env, TMPDIR: join(folder, "tmp"), NO_COLOR: "1" } as Record<string, string>;
    const shown = await new Promise<string>((resolve) => {
      // Something stays behind at the terminal: what was written last is lost where a busy reader comes after the exit.
      const script = '"$@"; echo "it is over"; exec sleep 600';
      const all = ["-c", script, "sh", process.execPath, ...args];
      const terminal = spawnTerminal("sh", all, { cwd: folder, env, cols: 120, rows: 30 });
      let text = "";
      terminal.onData((data) => {
        text += data;
        if (!text.includes("it is over")) return;
        terminal.onExit(() => resolve(text));
        terminal.kill("SIGKILL");
      });
    });
    const bars = [...shown.matchAll(/\[([#-]{24})\] (\d)\/4 {2}(\d) passed/g)];
    expect(bars.map(([, bar = "", done, passed]) => [bar.replaceAll("-", "").length, done, passed])).toEqual([
      [6, "1", "1"],
      [12, "2", "2"],
      [18, "3", "3"],
    ]);
    const screen = new Screen({ columns: 120, rows: 30 });
    await screen.write(shown);
    const lines = screen.text().split("\n");
    screen.dispose();
    expect(lines.filter((line) => /^passed +hello-world #[1-4]/.test(line))).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith("["))).toEqual([]);
    // Where nobody watches there is no bar: a log has one line a trial.
    const logged = term(folder, ...args.slice(1, -1), "again").stderr;
    expect(logged.trim().split("\n")).toHaveLength(4);
    expect(logged).not.toContain("\r");
  });

  test("[TERM-RESULT-2] an interrupted run leaves nothing behind and is resumed where it stopped", async () => {
    const folder = workshop();
    // The third trial waits until somebody lets it go on, so that the run is still there when it is interrupted.
    const wait = `[ "$(ls ${folder}/run/trials | wc -l)" -lt 3 ] || [ -e ${folder}/go ] || sleep 600`;
    writeFileSync(join(folder, "slow.sh"), `${wait}\n${readFileSync(join(folder, "hello.sh"), "utf8")}`);
    const args = ["run", "--agent", "sh slow.sh", "--task", hello, "--trials", "8", "--out", "run"];
    const env = { ...process.env, TMPDIR: join(folder, "tmp") };
    const running = spawn(process.execPath, [bin, ...args], { cwd: folder, env, stdio: "ignore" });
    const exited = new Promise((resolve) => running.once("exit", resolve));
    while (!existsSync(join(folder, "run/trials/hello-world.2/result.json"))) await sleep(20);
    running.kill("SIGINT");
    expect(await exited).toBe(130);
    expect([readdirSync(join(folder, "tmp")), processesWith(folder)]).toEqual([[], []]);
    const first = readFileSync(join(folder, "run/trials/hello-world.1/result.json"), "utf8");
    writeFileSync(join(folder, "go"), "");
    const resumed = term(folder, "run", "--resume", "run");
    expect([resumed.status, resumed.stdout]).toEqual([0, expect.stringMatching(/hello-world +8 +8/)]);
    expect(readFileSync(join(folder, "run/trials/hello-world.1/result.json"), "utf8")).toBe(first);
    expect(term(folder, "run", "--resume", "nowhere").stderr).toMatch(/is no run/);
  });
});

describe("term report and term replay", () => {
  test("[TERM-RESULT-3] a table, figures, a page with steps and recording, and the recording in the terminal", () => {
    const folder = workshop();
    term(folder, "run", "--agent", "sh hello.sh", "--task", hello, "--out", "one");
    term(folder, "run", "--agent", "sh wrong.sh", "--task", hello, "--out", "two");
    const report = term(folder, "report", "one", "two", "--html", "report.html");
    expect([report.status, report.stdout]).toEqual([0, expect.stringMatching(/hello-world +2 +1 +50 % +9 %\.\.91 %/)]);
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(page).toContain('<span class="status passed">passed</span><b>one/hello-world.1</b>');
    const data = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/.exec(page)?.[1] ?? "") as {
      steps: { command: string }[];
      frames: { text: string }[];
    }[];
    expect(data[0]?.steps[0]?.command).toBe('echo "Hello, world!" > hello.txt');
    expect(data[0]?.frames.at(-1)?.text).toContain("Hello, world!");
    const figures = JSON.parse(term(folder, "report", "one", "--json").stdout) as { total: { passRate: number } };
    expect(figures.total.passRate).toBe(1);
    expect(term(folder, "replay", "one", "--speed", "100").stdout).toContain('$ echo "Hello, world!" > hello.txt');
    expect(term(folder, "replay", "one", "--steps").stdout).toMatch(
      /step 1\n {2}\$ echo .*\n {2}exit code 0\nstep 2\n {2}complete/,
    );
    expect(term(folder, "replay", "one", "--trial", "x").stderr).toMatch(/it has: hello-world\.1/);
  });

  test("[TERM-RESULT-3] intervals hold for few trials, and what was not judged is not counted", () => {
    const rounded = (successes: number, trials: number) =>
      wilson(successes, trials).map((share) => Math.round(share * 1000) / 1000);
    expect([rounded(0, 10), rounded(5, 10), rounded(10, 10)]).toEqual([
      [0, 0.278],
      [0.237, 0.763],
      [0.722, 1],
    ]);
    const result = (status: TrialResult["status"]) => ({ task: "t", status, reward: null, seconds: 1, steps: 1 }) as TrialResult;
    const { total } = summarise(
      ["passed", "failed", "unsupported", "interrupted", "error", "crashed"].map((status) =>
        result(status as TrialResult["status"]),
      ),
    );
    expect([total.trials, total.counted, total.passed]).toEqual([6, 3, 1]);
  });
});

describe("term new", () => {
  test("[TERM-TASK-2] a new task passes with its own solution and fails without", () => {
    const folder = workshop();
    expect(term(folder, "new", "task").status).toBe(0);
    expect(term(folder, "oracle", "my-task").status).toBe(0);
    expect(term(folder, "null", "my-task").status).toBe(1);
    expect(term(folder, "new", "task", "my-task").stderr).toMatch(/exists already/);
  });

  test("[TERM-SDK-2] new agents in Python and TypeScript run as they are", () => {
    const folder = workshop();
    const agents: [string, string][] = [
      ["python", "python3 p/my_agent.py"],
      ["typescript", `${process.execPath} t/my-agent.mts`],
    ];
    for (const [language, command] of agents) {
      expect(term(folder, "new", "agent", language.slice(0, 1), "--lang", language).status).toBe(0);
      if (language === "typescript") {
        // What `npm install @hap/term-sdk` would put there.
        mkdirSync(join(folder, "node_modules/@hap"), { recursive: true });
        spawnSync("ln", ["-s", join(root, "packages/term-sdk"), join(folder, "node_modules/@hap/term-sdk")]);
      }
      rmSync(join(folder, "hello.txt"), { force: true });
      const ran = term(folder, "run", "--agent", command, "--instruction", "Create hello.txt");
      expect([ran.status, readFileSync(join(folder, "hello.txt"), "utf8"), ran.stderr]).toEqual([
        0,
        "Hello, world!\n",
        // Nothing of the language's own, such as a warning about modules.
        expect.stringMatching(/^\[agent\] the task: Create hello\.txt\ncompleted /),
      ]);
    }
    expect(term(folder, "new", "agent", "r", "--lang", "rust").stdout).toMatch(/src\/main\.rs/);
    expect(term(folder, "new", "agent", "--lang", "cobol").stderr).toMatch(/--lang must be python, typescript, rust/);
  });
});
