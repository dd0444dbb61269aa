// Providers that are programs, driven as real processes. Their lines have the shape that codex 0.166 and copilot 1.0 print.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProvider } from "../../src/providers/index.ts";
import { ask, requestOf } from "./ask.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "yume-program-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fixture = join(import.meta.dirname, "fixtures", "program.mjs");

/** Puts the fixture on the path under this name. */
function install(name: string, script = `exec "${process.execPath}" "${fixture}" "$@"`): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

type Lines = Record<string, unknown>[];

function env(lines: Lines, more: Record<string, string> = {}): Record<string, string> {
  const file = join(folder, "lines");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const path = [folder, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  return { PATH: path, HOME: folder, FIXTURE_LINES: file, FIXTURE_SEEN: join(folder, "seen"), ...more };
}

const seen = (): { args: string[]; input: string; token: string | null; cwd: string }[] =>
  readFileSync(join(folder, "seen"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const item = (type: string, more: Record<string, unknown>) => ({ type: "item.completed", item: { id: "item_1", type, ...more } });
const completed = { type: "turn.completed", usage: { input_tokens: 50, cached_input_tokens: 30, output_tokens: 9 } };

describe("codex-cli", () => {
  const codex = (lines: Lines, more: Record<string, string> = {}) =>
    createProvider({ provider: "codex-cli", env: env(lines, more), cwd: folder });

  it("[YUME-PROGRAM-1] gives the program's words as a turn without calls, and its usage", async () => {
    install("codex");
    const provider = await codex([
      { type: "thread.started", thread_id: "t" },
      { type: "turn.started" },
      item("reasoning", { text: "hm" }),
      item("command_execution", { command: "ls", exit_code: 0, status: "completed" }),
      item("agent_message", { text: "one" }),
      item("agent_message", { text: "two" }),
      completed,
    ]);
    const heard = await ask(provider, requestOf({ model: provider.default_model }));
    expect(heard.error).toBeNull();
    expect(heard.end).toMatchObject({
      stop_reason: "end_turn",
      usage: { input_tokens: 20, output_tokens: 9, cache_creation_input_tokens: 0, cache_read_input_tokens: 30 },
      parts: [
        { type: "thinking", thinking: "hm[codex ran: ls (exit 0)]\n" },
        { type: "text", text: "one\n\ntwo" },
      ],
    });
    expect(provider.capabilities("x")).toMatchObject({ tools: false, images: false });
  });

  it("[YUME-PROGRAM-2] is started read-only, without a shell, and gets the conversation on standard input", async () => {
    install("codex");
    const provider = await codex([completed]);
    const turns = [
      { role: "user", content: [{ type: "text", text: "first; rm -rf $HOME" }] },
      { role: "assistant", content: [{ type: "text", text: "did it" }] },
      { role: "user", content: [{ type: "text", text: "and now?" }] },
    ] as const;
    await ask(
      provider,
      requestOf({ model: "gpt-x", turns: turns.map(({ role, content }) => ({ role, content: [...content] })) as never }),
    );
    const [{ args, input, cwd } = { args: [], input: "", cwd: "" }] = seen();
    expect(args).toEqual(["exec", "--json", "--skip-git-repo-check", "--sandbox", "read-only", "--model", "gpt-x", "-"]);
    expect(cwd).toContain("yume-program-");
    expect(input).toBe(
      "<instructions>\nBe brief.\n</instructions>\n\n<conversation_so_far>\nUser: first; rm -rf $HOME\n\nAssistant: did it\n</conversation_so_far>\n\nand now?",
    );
  });

  it("[YUME-PROGRAM-2] takes another sandbox only by its name", async () => {
    install("codex");
    await ask(await codex([completed], { YUME_CODEX_SANDBOX: "workspace-write" }));
    expect(seen()[0]?.args).toContain("workspace-write");
    await expect(codex([], { YUME_CODEX_SANDBOX: "none" })).rejects.toMatchObject({
      kind: "bad_request",
      message: expect.stringContaining("read-only"),
    });
  });

  it("[YUME-PROGRAM-1] does not say twice what the program repeats after a reconnection", async () => {
    install("codex");
    const again = { type: "error", message: "Reconnecting... 1/5 (stream disconnected)" };
    const heard = await ask(
      await codex([item("agent_message", { text: "one" }), again, item("agent_message", { text: "one" }), completed]),
    );
    expect(heard.end?.parts).toEqual([{ type: "text", text: "one" }]);
  });

  it("[YUME-PROGRAM-3] fails with the program: a failed turn, no end, a bad exit, a missing program", async () => {
    install("codex");
    const failed = { type: "turn.failed", error: { message: "unexpected status 401 Unauthorized: bad key" } };
    expect((await ask(await codex([failed], { FIXTURE_EXIT: "1" }))).error).toMatchObject({
      kind: "auth",
      message: expect.stringContaining("codex login"),
    });
    expect((await ask(await codex([item("agent_message", { text: "half" })]))).error).toMatchObject({ kind: "broken_stream" });
    const crashed = await ask(await codex([completed], { FIXTURE_EXIT: "3", FIXTURE_STDERR: "out of luck" }));
    expect(crashed.error).toMatchObject({ kind: "broken_stream", message: expect.stringMatching(/exit code 3.*out of luck/s) });
    expect(crashed.end).toBeNull();
    rmSync(join(folder, "codex"));
    expect((await ask(await codex([]))).error).toMatchObject({
      kind: "not_found",
      message: expect.stringContaining("npm install -g @openai/codex"),
    });
  });

  it("[YUME-PROGRAM-4] cancelled, it ends the program and what the program started", async () => {
    install("codex");
    const provider = await codex([], { FIXTURE_HANG: "1" });
    const abort = new AbortController();
    let pids: number[] = [];
    await expect(async () => {
      for await (const event of provider.stream(requestOf(), { signal: abort.signal }))
        if (event.type === "text_delta") {
          pids = event.text.split(" ").map(Number);
          abort.abort();
        }
    }).rejects.toMatchObject({ kind: "aborted" });
    expect(pids).toHaveLength(2);
    for (const pid of pids) await gone(pid);
  });

  it("[YUME-PROGRAM-4] a program that is silent for too long is ended", async () => {
    install("codex");
    const provider = await createProvider({
      provider: "codex-cli",
      env: env([], { FIXTURE_HANG: "1" }),
      cwd: folder,
      settings: { idleTimeoutMs: 200 },
    });
    const heard = await ask(provider);
    expect(heard.error).toMatchObject({ kind: "network" });
    for (const pid of heard.text.split(" ").filter(Boolean).map(Number)) await gone(pid);
  });
});

describe("copilot", () => {
  const copilot = (lines: Lines, more: Record<string, string> = {}) =>
    createProvider({ provider: "copilot", env: env(lines, more), cwd: folder });
  const data = (type: string, given: Record<string, unknown>) => ({ type, data: given });
  const result = (exitCode: number) => ({ type: "result", exitCode, usage: { premiumRequests: 1 } });

  it("[YUME-PROGRAM-1] gives the program's words as a turn without calls", async () => {
    install("copilot");
    const provider = await copilot([
      data("session.tools_updated", { model: "gpt-4.1" }),
      data("assistant.reasoning_delta", { deltaContent: "hm" }),
      data("assistant.message_delta", { messageId: "1", deltaContent: "hel" }),
      data("assistant.message_delta", { messageId: "1", deltaContent: "lo" }),
      data("assistant.message", { messageId: "1", content: "hello" }),
      data("tool.execution_start", { toolName: "view" }),
      data("assistant.message", { messageId: "2", content: "bye" }),
      result(0),
    ]);
    const heard = await ask(provider, requestOf({ model: "default" }));
    expect(heard.end).toMatchObject({
      model: "gpt-4.1",
      parts: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "hello" },
        { type: "thinking", thinking: "[copilot called: view]\n" },
        { type: "text", text: "\n\nbye" },
      ],
    });
    expect(seen()[0]?.args).toEqual(["--output-format", "json", "--stream", "on"]);
  });

  it("[YUME-PROGRAM-3] fails with the program", async () => {
    install("copilot");
    const refused = data("session.error", { errorType: "rate_limit", message: "slow down", statusCode: 429 });
    const heard = await ask(await copilot([refused, result(1)], { FIXTURE_EXIT: "1" }));
    expect(heard.error).toMatchObject({ kind: "rate_limited", status: 429 });
    expect(heard.retries).toBe(0);
  });

  it("[YUME-PROGRAM-5] tries once more with the token of gh when it knows nobody", async () => {
    install("copilot");
    install("gh", "echo gho_token");
    const lines = [data("assistant.message", { messageId: "1", content: "hi" }), result(0)];
    const heard = await ask(await copilot(lines, { FIXTURE_NEEDS_TOKEN: "1" }));
    expect(heard.end?.parts).toEqual([{ type: "text", text: "hi" }]);
    expect(seen().map(({ token }) => token)).toEqual([null, "gho_token"]);
    rmSync(join(folder, "gh"));
    const alone = await ask(await copilot(lines, { FIXTURE_NEEDS_TOKEN: "1" }));
    expect(alone.error).toMatchObject({ kind: "auth", message: expect.stringContaining("COPILOT_GITHUB_TOKEN") });
  });
});

/** Waits until no process has this id; the test's time limit is the limit. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    // A process that has ended and whom nobody waited for is gone as well.
    if (/^State:\s+Z/m.test(readStatus(pid))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
