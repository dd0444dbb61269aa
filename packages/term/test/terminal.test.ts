// The terminal itself: one real shell in a real pseudo-terminal.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeSandbox } from "../src/sandbox/choose-sandbox.ts";
import { Terminal } from "../src/terminal/terminal.ts";
import { DEFAULT_SIZE } from "../src/terminal/terminal-options.ts";
import { temporaryFolder } from "./support.ts";

let terminal: Terminal;
let work: string;

beforeEach(async () => {
  const base = temporaryFolder();
  work = join(base, "work");
  mkdirSync(work);
  const spec = {
    base,
    control: join(base, "control"),
    cwd: work,
    mounts: [],
    network: false,
    mark: "test",
    memoryMb: null,
    processes: null,
  };
  const { launch } = await makeSandbox("none", { ...spec, container: null });
  terminal = await Terminal.start({ launch, size: DEFAULT_SIZE, outputLimitBytes: 1_000 });
});

afterEach(() => terminal.close());

const run = async (command: string, timeoutMs = 45_000) => {
  const { output, exitCode } = await terminal.run(command, timeoutMs);
  return [output, exitCode];
};
/** Type, each key followed by its wait: the clock alone says when it is over, so it is as long as a busy machine may need. */
const type = async (...keys: string[]) =>
  terminal.type(
    keys.map((keystrokes) => ({ keystrokes, duration: 2 })),
    45_000,
  );

describe("the persistent shell", () => {
  test("[TERM-SHELL-1] folders, variables, functions, jobs and exit codes last", async () => {
    expect(await run("mkdir 'a b' && cd 'a b' && x=5 && export y=6 && f() { echo f$x$y; }")).toEqual(["", 0]);
    expect(terminal.cwd).toBe(join(work, "a b"));
    expect(await run("f; bash -c 'echo $x$y'")).toEqual(["f56\n6", 0]);
    expect(await run("(exit 7)")).toEqual(["", 7]);
    expect(await run("echo $?")).toEqual(["7", 0]);
    expect(await run("sleep 60 &")).toEqual(["", 0]);
    expect(await run("jobs -p | wc -l")).toEqual(["1", 0]);
    expect(await run("kill -9 $$ 2>/dev/null")).toEqual([expect.stringMatching(/shell ended with exit code 137/), 137]);
    expect(await run("pwd")).toEqual([join(work, "a b"), 0]);
  });

  test("[TERM-SHELL-2] a command that sets a prompt of its own or sends the shell's output away does not stall the next", async () => {
    expect(await run("PROMPT_COMMAND='echo mine'; PS1='> '; true")).toEqual(["", 0]);
    expect(await run("unset PROMPT_COMMAND; (exit 3)")).toEqual(["", 3]);
    expect(await run("PROMPT_COMMAND=(a b); echo still here")).toEqual(["still here", 0]);
    expect(await run("exec 5>&1 >/dev/null; echo unseen")).toEqual(["", 0]);
    expect(await run("echo unseen too; (exit 4)")).toEqual(["", 4]);
    expect(await run("exec >&5 5>&-; echo seen")).toEqual(["seen", 0]);
    expect(await run("exec 2>/dev/null; echo seen again")).toEqual(["seen again", 0]);
  });

  test("[TERM-OUTPUT-1] output has no echo and no prompt, both streams in order, one line end less, nothing but text", async () => {
    expect(await run("echo out; echo err >&2; echo out")).toEqual(["out\nerr\nout", 0]);
    expect(await run("printf 'a\\n\\n'")).toEqual(["a\n", 0]);
    expect(await run("printf '\\033[31mred\\033[0m \\033]0;title\\007x\\r\\ny\\rz\\007'")).toEqual(["red x\ny\rz", 0]);
    expect(await run("printf 'nul\\0 bad\\xff \\302\\233 ok\\xc3\\xbc'")).toEqual(["nul\ufffd bad\ufffd \ufffd ok\u00fc", 0]);
    expect(await run("cat <<'E'\n$x `y` \"z\"\nE")).toEqual(['$x `y` "z"', 0]);
    expect(await run("no-such-command")).toEqual([
      "bash: line 1: no-such-command: command not found".replace("line 1: ", ""),
      127,
    ]);
  });

  test("[TERM-OUTPUT-1] past the limit the middle goes, and the number of bytes is said", async () => {
    const { output, omittedBytes } = await terminal.run(
      "printf 'begin '; yes ü | tr -d '\\n' | head -c 50001; printf ' end'",
      45_000,
    );
    expect(omittedBytes).toBeGreaterThan(49_000);
    expect(output).toMatch(new RegExp(`^begin .*\\n\\[\\.\\.\\. ${omittedBytes} bytes omitted \\.\\.\\.\\]\\n.* end$`, "s"));
    expect(Buffer.byteLength(output)).toBeLessThan(1_100);
  });

  test("[TERM-LIMIT-1] a command is stopped with the output so far, however stubborn, and the shell lives on", async () => {
    expect(await run("x=kept; echo so far; sleep 30", 2_000)).toEqual(["so far\n[term] The command was stopped after 2 s.", 124]);
    expect(await run("while :; do :; done", 300)).toEqual([expect.stringMatching(/stopped after/), 124]);
    expect(await run("(trap '' INT TERM; sleep 30)", 300)).toEqual([expect.stringMatching(/stopped after/), 124]);
    expect(await run("echo $x")).toEqual(["kept", 0]);
  });

  test("[TERM-SHELL-1] a shell that ends is reported and started again in the same folder", async () => {
    await run("mkdir d; cd d; (sleep 50 & echo $! > pid)");
    expect(await run("exit 3")).toEqual([
      expect.stringMatching(/^\[term\] The shell ended with exit code 3\. A new one was started in /),
      3,
    ]);
    expect(await run("pwd")).toEqual([join(work, "d"), 0]);
    expect(await run("set -e; false; true")).toEqual([expect.stringMatching(/exit code 1/), 1]);
    expect(await run("exec true")).toEqual([expect.stringMatching(/exit code 0/), 0]);
    // The command may be hung up before its shell is: then the end of the shell is told with the next one.
    let told = "";
    for (let next = "kill -9 $PPID; sleep 5"; !told.includes("shell ended"); next = "true") told += (await run(next))[0];
    expect(await run("kill $(cat pid); echo alive")).toEqual(["alive", 0]);
  });

  test("[TERM-SHELL-1] a shell that ends between two commands is replaced before the next", async () => {
    await run("cd /usr; (sleep 0.2; kill -9 $$) &");
    // Whoever kills the shell takes its terminal with it.
    await expect.poll(() => terminal.pid, { timeout: 45_000 }).toBeUndefined();
    expect(await run("pwd")).toEqual([expect.stringMatching(/^\[term\] The shell ended with exit code 137\..*\n\/usr$/), 0]);
  });

  test("[TERM-SHELL-1] a program that leaves the terminal in disorder does not spoil the next commands", async () => {
    await run("stty sane; stty raw");
    expect(await run("echo one")).toEqual(["one", 0]);
    expect(await run("echo two")).toEqual(["two", 0]);
  });
});

describe("keystrokes", () => {
  test("[TERM-LEGACY-1] drive prompts and interactive programs; a running program has no exit code yet", async () => {
    const asked = await type("read -p 'name? ' name; echo \"hello $name\"\n");
    expect([asked.output, asked.exitCode]).toEqual(["name? ", null]);
    expect(await terminal.run("echo no", 1_000)).toMatchObject({
      output: expect.stringMatching(/still has the terminal/),
      exitCode: 1,
    });
    const answered = await type("Ada\n");
    expect([answered.output, answered.exitCode]).toEqual(["hello Ada", 0]);
  });

  test("[TERM-LEGACY-1] control keys by character and by name", async () => {
    await type("sleep 60\n");
    expect((await type("\u0003")).exitCode).toBe(130);
    await type("cat\n", "hello\n");
    expect((await type("C-d")).exitCode).toBe(0);
  });

  test("[TERM-LEGACY-1] a full-screen program is shown as its screen, and arrow keys move in it", async () => {
    await run("seq 1 200 > numbers");
    const first = await type("less numbers\n");
    expect(first.output.split("\n").slice(0, 2)).toEqual(["1", "2"]);
    const moved = await type("\u001bOB", "Down");
    expect(moved.output.split("\n")[0]).toBe("3");
    const left = await type("q");
    expect(left.exitCode).toBe(0);
    expect(await run("echo back")).toEqual(["back", 0]);
  });
});
