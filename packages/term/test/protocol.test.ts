// The wire: the shared vectors for lines, and the specification's examples as whole conversations.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readResponse } from "../src/protocol/agent-response.ts";
import { requestLine } from "../src/protocol/request-line.ts";
import { lineAgent, requestsOf, runAgent, temporaryFolder } from "./support.ts";

type Vector = {
  id: string;
  line: string;
  result: "valid" | "invalid";
  read?: { form: string; task_complete: boolean; text: string | null };
};
const { lines } = JSON.parse(readFileSync(new URL("../../../spec/vectors/term-lines.json", import.meta.url), "utf8")) as {
  lines: Vector[];
};

describe("lines of agents", () => {
  test.each(lines)("[TERM-INVALID-1] $id", ({ line, result, read }) => {
    const found = readResponse(line);
    expect(found.ok).toBe(result === "valid");
    if (!found.ok || read === undefined) return;
    const { taskComplete, ...rest } = found.response;
    expect({ ...rest, task_complete: taskComplete }).toEqual(read);
  });

  test("[TERM-INVALID-1] says what is wrong with a line", () => {
    expect(readResponse('{"command":5}')).toEqual({ ok: false, problem: "command must be text or null, not number" });
    expect(readResponse('["ls"]')).toEqual({ ok: false, problem: "expected one JSON object, got a list" });
  });
});

describe("the specification's examples", () => {
  test("[TERM-LINE-1] every field is there, with explicit nulls", () => {
    const request = { instruction: "x", step: 1, last_command: null, output: null, exit_code: null, cwd: "/app" };
    expect(requestLine(request)).toBe(
      '{"instruction":"x","step":1,"last_command":null,"output":null,"exit_code":null,"cwd":"/app"}',
    );
  });

  test("[TERM-LINE-1] its complete example, request for request", async () => {
    const folder = temporaryFolder();
    const agent = lineAgent(folder, [
      { command: "echo 'Hello, world!' > hello.txt", task_complete: false },
      { command: "cat hello.txt", task_complete: false, text: "Verifying file was created" },
      { command: null, task_complete: true, text: "File created successfully" },
    ]);
    const instruction = "Create hello.txt with 'Hello, world!'";
    const { result, work } = await runAgent(agent, { work: { kind: "instruction", instruction, cwd: folder } });
    expect([result.status, result.detail, result.steps]).toEqual(["completed", "File created successfully", 3]);
    expect(work).toBeTruthy();
    const common = { instruction, cwd: folder };
    expect(requestsOf(folder)).toEqual([
      { ...common, step: 1, last_command: null, output: null, exit_code: null },
      { ...common, step: 2, last_command: "echo 'Hello, world!' > hello.txt", output: "", exit_code: 0 },
      { ...common, step: 3, last_command: "cat hello.txt", output: "Hello, world!", exit_code: 0 },
    ]);
  });

  test("[TERM-LINE-1] its minimal Python agent as it stands", async () => {
    const file = join(temporaryFolder(), "agent.py");
    writeFileSync(
      file,
      `#!/usr/bin/env python3
from term_sdk import Agent, Request, Response, run

class MyAgent(Agent):
    def solve(self, req: Request) -> Response:
        if req.first:
            return Response.cmd("echo 'Hello, world!' > hello.txt")
        return Response.done()

if __name__ == "__main__":
    run(MyAgent())
`,
    );
    const { result, work } = await runAgent(`python3 ${file}`);
    expect([result.status, readFileSync(join(work, "hello.txt"), "utf8")]).toEqual(["completed", "Hello, world!\n"]);
  });

  test("[TERM-LEGACY-1] its legacy example; completion is confirmed", async () => {
    const folder = temporaryFolder();
    const complete = { analysis: "it is there", plan: "stop", commands: [], task_complete: "yes" };
    const agent = lineAgent(folder, [
      {
        analysis: "Terminal shows empty directory",
        plan: "Create file using echo",
        commands: [
          // As long as a busy machine may need: what is typed is waited for by the clock alone.
          { keystrokes: "echo 'hello' > file.txt\n", duration: 2 },
          { keystrokes: "cat file.txt\n", duration: 2 },
        ],
        task_complete: false,
      },
      complete,
      complete,
    ]);
    const { result, work } = await runAgent(agent);
    expect([result.status, result.steps]).toEqual(["completed", 3]);
    expect(readFileSync(join(work, "file.txt"), "utf8")).toBe("hello\n");
    const [, second, third] = requestsOf(folder);
    expect(second).toMatchObject({ last_command: "echo 'hello' > file.txt\ncat file.txt\n", output: "hello", exit_code: 0 });
    expect(third?.output).toMatch(/task_complete once more/);
  });
});

describe("limits", () => {
  test("[TERM-AGENT-1] an agent that closes its output has crashed at once, and a last line counts without its newline", async () => {
    const silent = await runAgent("read -r request; exec >&-; sleep 1000");
    expect([silent.result.status, silent.result.steps]).toEqual(["crashed", 0]);
    expect(silent.result.detail).toContain("closed its standard output without ending");
    const short = await runAgent(`read -r request; printf '{"task_complete": true}'`);
    expect([short.result.status, short.result.detail]).toEqual(["completed", expect.any(String)]);
    const cut = await runAgent(`read -r request; printf '{"task_comp'`);
    expect(cut.result.status).toBe("crashed");
  });

  test("[TERM-LIMIT-1] the whole time and the steps of an agent are limited, and each end has its name", async () => {
    const say = Array.from({ length: 20 }, () => ({ command: "sleep 0.3" }));
    const slow = await runAgent(lineAgent(temporaryFolder(), say), { limits: { totalTimeoutMs: 900 } });
    expect([slow.result.status, slow.result.detail]).toEqual(["timeout", "the agent's 0.9 s are used up"]);
    const silent = await runAgent("sleep 60", { limits: { totalTimeoutMs: 900 } });
    expect([silent.result.status, silent.result.detail]).toEqual(["timeout", "the agent's 0.9 s are used up"]);
    const many = await runAgent(
      lineAgent(
        temporaryFolder(),
        say.map(() => ({ text: "hm" })),
      ),
      { limits: { maxSteps: 4 } },
    );
    expect([many.result.status, many.result.steps]).toEqual(["step_limit", 4]);
  });

  test("[TERM-LIMIT-1] a command that takes too long comes back with the output so far and 124", async () => {
    const folder = temporaryFolder();
    await runAgent(lineAgent(folder, [{ command: "echo begun; sleep 30" }, { task_complete: true }]), {
      limits: { commandTimeoutMs: 3_000 },
    });
    expect(requestsOf(folder)[1]).toMatchObject({ output: "begun\n[term] The command was stopped after 3 s.", exit_code: 124 });
  });
});

describe("an interruption", () => {
  test("[TERM-RESULT-2] ends a long command at once", async () => {
    const controller = new AbortController();
    const folder = temporaryFolder();
    // Far longer than a test may take.
    const agent = lineAgent(folder, [{ command: `touch ${folder}/begun; sleep 3000` }]);
    const running = runAgent(agent, { signal: controller.signal, limits: { commandTimeoutMs: 3_000_000 } });
    await expect.poll(() => existsSync(join(folder, "begun")), { timeout: 45_000 }).toBe(true);
    controller.abort();
    expect((await running).result.status).toBe("interrupted");
  });
});
