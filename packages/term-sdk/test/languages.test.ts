// The loop of the TypeScript SDK as a real process, and the test suites of the other languages where their tools exist.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const root = new URL("../../../", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "term-sdk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const agent = join(folder, "agent.mts");
writeFileSync(
  agent,
  `import { log, Response, run } from ${JSON.stringify(join(root, "packages/term-sdk/src/index.ts"))};
await run({
  setup: () => console.log("printed in setup"),
  solve(request) {
    log("step", request.step);
    if (request.step === 2) throw new TypeError("no idea");
    return request.has("x") ? Response.say("?") : request.instruction === "stay" ? Response.cmd("ls") : Response.done("bye");
  },
  cleanup: () => log("cleaned"),
});
`,
);

function runAgent(input: string) {
  return spawnSync(process.execPath, [agent], { input, encoding: "utf8" });
}

const request = (instruction: string, step: number) => `${JSON.stringify({ instruction, step, cwd: "/" })}\r\n`;

describe("the loop in TypeScript", () => {
  test("[TERM-SDK-2] ends with completion, keeps standard output for the protocol, and cleans up", () => {
    const { status, stdout, stderr } = runAgent(request("go", 1) + request("go", 2));
    expect([status, stdout]).toEqual([0, '{"command":null,"task_complete":true,"text":"bye"}\n']);
    expect(stderr).toContain("printed in setup");
    expect(stderr).toContain("[agent] cleaned");
  });

  test("[TERM-SDK-2] tells an error in solve and ends with 1, never as completion", () => {
    const { status, stdout, stderr } = runAgent(request("stay", 1) + request("stay", 2) + request("stay", 3));
    expect(status).toBe(1);
    expect(stdout.split("\n")).toEqual([
      '{"command":"ls","task_complete":false}',
      '{"command":null,"task_complete":false,"text":"error: TypeError: no idea"}',
      "",
    ]);
    expect(stderr).toContain("[agent] cleaned");
  });

  test("[TERM-SDK-2] ends with 0 when the harness closes the input, and with 1 when a request is none", () => {
    expect(runAgent("").status).toBe(0);
    expect(runAgent("nonsense\n").status).toBe(1);
  });
});

const exists = (command: string) => spawnSync(command, ["--version"]).status === 0;

describe("the other languages", () => {
  if (exists("python3"))
    test("[TERM-SDK-1, TERM-SDK-2] Python reads the same vectors and keeps the same rules", () => {
      const ran = spawnSync("python3", ["-m", "unittest", "discover", "-s", "tests"], {
        cwd: join(root, "sdks/python"),
        encoding: "utf8",
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
      });
      expect(ran.stderr).toMatch(/Ran \d+ tests.*OK\n$/s);
      expect(ran.status).toBe(0);
    });

  if (exists("cargo"))
    test("[TERM-SDK-1, TERM-SDK-2] Rust reads the same vectors and keeps the same rules", { timeout: 300_000 }, () => {
      const ran = spawnSync("cargo", ["test", "--quiet", "--locked"], { cwd: join(root, "sdks/rust"), encoding: "utf8" });
      expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    });
});
