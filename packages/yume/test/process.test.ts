// The process models of the flat dialect: one turn and exit, a host that stays, and every way to fail.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hangs, kinds, makePlace, refuses, runYume, says, startYume, uses } from "./support/place.ts";

const openai = ["--provider", "openai"];
const write = (content: string): [string, Record<string, unknown>] => ["Write", { file_path: "made.txt", content }];

describe("one turn", () => {
  it.each([
    ["--prompt", ["start", ...openai, "--prompt", "Say hello"], ""],
    ["-p beside --provider", ["-P", "openai", "-p", "Say hello"], ""],
    ["standard input", [...openai], "Say hello\n"],
    ["standard input with start", ["start", ...openai], "Say hello"],
  ])("[YUME-PROCESS-1] takes its prompt from %s and exits", async (_, args, input) => {
    const place = await makePlace([says("Hello.")]);
    const { frames, code } = await runYume(place, args, input);
    expect(kinds(frames)).toEqual(["system/init", "text", "text", "usage", "result", "message_stop"]);
    expect(
      frames
        .filter(({ type }) => type === "text")
        .map(({ content }) => content)
        .join(""),
    ).toBe("Hello.");
    expect(place.asked()).toContain("Say hello");
    expect(code).toBe(0);
  });

  it("[YUME-PROCESS-1] takes a prompt of megabytes from standard input", async () => {
    const place = await makePlace([says("Long.")]);
    const { code } = await runYume(place, openai, `${"many words ".repeat(300_000)}the end`);
    expect(code).toBe(0);
    expect(place.asked()).toContain("the end");
    expect(place.asked().length).toBeGreaterThan(3_000_000);
  });

  it("[YUME-PROCESS-1] reads the words of other tools' flags without falling over them", async () => {
    const place = await makePlace([says("Hello.")]);
    const { frames, code } = await runYume(place, [
      ...openai,
      "--no-such-flag",
      "value",
      "",
      "--another=1",
      "--prompt",
      "Hi",
      "--verbose",
    ]);
    expect(frames.at(-2)).toMatchObject({ type: "result", subtype: "success" });
    expect(code).toBe(0);
  });

  it("[YUME-ARGV-2] prints its version for -v alone", async () => {
    const { stdout, code } = await runYume(await makePlace(), ["-v"]);
    expect(stdout).toMatch(/^[2-9]\.\d+\.\d+ /);
    expect(code).toBe(0);
  });

  it("[YUME-AUTH-6] tells hosts who pays, and takes no command of theirs for a prompt", async () => {
    const place = await makePlace([says("never said")]);
    const withKey = await runYume(place, ["auth", "status", "--json"]);
    expect(JSON.parse(withKey.stdout)).toEqual({
      loggedIn: true,
      authMethod: "api_key",
      apiProvider: "openai",
      apiKeySource: "OPENAI_API_KEY",
    });
    expect(withKey.code).toBe(0);
    const bare = { YUME_PROVIDER: "anthropic", ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "" };
    const withoutKey = await runYume(place, ["auth", "status", "--json"], "", { env: bare });
    expect(JSON.parse(withoutKey.stdout)).toEqual({ loggedIn: false, authMethod: "none", apiProvider: "firstParty" });
    expect([withoutKey.code, (await runYume(place, ["auth", "login"])).code]).toEqual([1, 1]);
    expect(place.model.requests).toEqual([]);
  });

  it("[YUME-AUTH-7] signs in with the provider's own program, or says in one line where the key comes from", async () => {
    const place = await makePlace();
    const keys = await runYume(place, ["auth", "login", "--provider", "anthropic"]);
    expect(keys.stderr).toMatch(/^Create a key at https:\/\/console\.anthropic\.com\/\S+ and set ANTHROPIC_API_KEY.*\n$/);
    const bin = join(place.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "codex"), '#!/bin/sh\necho "codex $*" > "$HOME/ran"\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${place.env.PATH}` };
    expect((await runYume(place, ["auth", "login", "--provider", "codex-cli"], "", { env })).code).toBe(0);
    expect(readFileSync(join(place.home, "ran"), "utf8")).toBe("codex login\n");
    const missing = await runYume(place, ["auth", "login", "--provider", "copilot"], "", { env: { PATH: bin } });
    expect(missing.stderr).toContain("copilot is not installed");
    expect(missing.code).toBe(1);
  });

  it("[YUME-PROCESS-2] prints only the answer for -p in text and JSON", async () => {
    const place = await makePlace([says("Just this."), says("As JSON."), refuses(500, "broken")]);
    expect((await runYume(place, ["-p", "Hi"])).stdout).toBe("Just this.\n");
    expect(JSON.parse((await runYume(place, ["-p", "Hi", "--output-format", "json"], "and this")).stdout)).toMatchObject({
      type: "result",
      result: "As JSON.",
    });
    expect(place.asked()).toContain("and this");
  });

  it("[YUME-COST-3] tells null for a cost that is not known", async () => {
    const place = await makePlace([says("Hello.")]);
    const { frames } = await runYume(place, ["-p", "Hi", "--output-format", "json"]);
    expect(frames[0]).toMatchObject({ total_cost_usd: null, modelUsage: { scripted: { costUSD: null } } });
  });

  it("[YUME-ENV-1] takes provider and model from the environment where a host cannot pass flags, whatever Claude name it passes", async () => {
    const place = await makePlace([says("Hello.")]);
    const { frames } = await runYume(place, ["-p", "Hi", "--output-format", "stream-json", "--model", "claude-sonnet-4-5"]);
    expect(frames[0]).toMatchObject({ model: "scripted" });
  });
});

describe("a run that cannot begin or go on", () => {
  const cases: [string, string[], string][] = [
    [
      "a permission mode that there is not",
      [...openai, "--permission-mode", "yolo", "--prompt", "x"],
      "--permission-mode takes default",
    ],
    ["a number that is none", [...openai, "--max-turns", "many", "--prompt", "x"], "--max-turns takes a whole number"],
    ["no prompt", openai, "There is no prompt"],
    ["a provider that there is not", ["--provider", "nobody", "--prompt", "x"], "there is no provider nobody"],
    ["a folder that there is not", [...openai, "--cwd", "nowhere", "--prompt", "x"], "does not exist"],
    ["an unknown session", [...openai, "--resume", "unknown", "--prompt", "x"], "There is no session unknown"],
    ["a session id that leads elsewhere", [...openai, "--session-id", "../../etc/passwd", "--prompt", "x"], "is no session id"],
    [
      "a history file that is missing",
      [...openai, "--history-file", "none.json", "--prompt", "x"],
      "history file cannot be read",
    ],
    ["nothing to continue", [...openai, "--continue", "--prompt", "x"], "There is no conversation"],
    ["settings that are none", [...openai, "--settings", "{bad", "--prompt", "x"], "--settings takes a JSON object"],
    ["an MCP configuration that is none", [...openai, "--mcp-config", "{}x", "--prompt", "x"], "--mcp-config takes JSON"],
    ["a budget that cannot be kept", [...openai, "--max-budget-usd", "1", "--prompt", "x"], "No price of scripted is known"],
  ];
  it.each(cases)("[YUME-END-1] tells of %s in an error, a result and message_stop", async (_, args, words) => {
    const place = await makePlace();
    const { frames, code } = await runYume(place, args);
    expect(kinds(frames)).toEqual(["system/init", "error", "result", "message_stop"]);
    expect(String(frames[1]?.message)).toContain(words);
    expect(frames[2]).toMatchObject({
      is_error: true,
      subtype: "error_during_execution",
      errors: [frames[1]?.message],
      permission_denials: [],
    });
    expect(code).toBe(1);
    expect(place.model.requests).toEqual([]);
  });

  it("[YUME-END-1] tells of a refused key as system/error, error and result", async () => {
    const place = await makePlace([refuses(401, "bad key")]);
    const { frames, code } = await runYume(place, [...openai, "--prompt", "x"]);
    expect(kinds(frames)).toEqual(["system/init", "system/error", "error", "result", "message_stop"]);
    expect(code).toBe(1);
  });

  it("[YUME-AUTH-5] asks no vendor without a key, and tells which variable is missing", async () => {
    const place = await makePlace([says("Local.")]);
    let connections = 0;
    const proxy = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { PATH, HOME, XDG_CACHE_HOME } = place.env as Record<string, string>;
    const bare = { ...place, env: { PATH, HOME, XDG_CACHE_HOME, HTTPS_PROXY } as Record<string, string> };
    await Promise.all(
      [
        ["openai", "OPENAI_API_KEY"],
        ["anthropic", "ANTHROPIC_API_KEY"],
        ["gemini", "GEMINI_API_KEY"],
      ].map(async ([provider, variable]) => {
        const { frames, code } = await runYume(bare, ["--provider", provider as string, "--prompt", "x"]);
        expect(kinds(frames)).toEqual(["system/init", "system/error", "error", "result", "message_stop"]);
        expect(frames[2]).toMatchObject({ code: "auth", message: expect.stringContaining(`Set ${variable}`) });
        expect(code).toBe(1);
      }),
    );
    const local = await runYume(bare, [...openai, "--api-base", `${place.model.url}/v1`, "--prompt", "x"]);
    expect(local.code).toBe(0);
    expect(connections).toBe(0);
    proxy.close();
  });

  it("[YUME-END-1] tells of a server that is not there", async () => {
    const place = await makePlace();
    const { frames, code } = await runYume(place, [...openai, "--api-base", "http://127.0.0.1:9/v1", "--prompt", "x"]);
    expect(kinds(frames).slice(-3)).toEqual(["error", "result", "message_stop"]);
    expect(code).toBe(1);
  });

  it("[YUME-END-1] ends a run by SIGTERM with an interrupt and a result", async () => {
    const place = await makePlace([hangs("chat", "I begin with xyzzy")]);
    const started = startYume(place, [...openai, "--prompt", "x"]);
    await started.until(({ type }) => type === "text");
    started.process.kill("SIGTERM");
    const { frames, code } = await started.ended;
    expect(kinds(frames).slice(-3)).toEqual(["interrupt", "result", "message_stop"]);
    expect(frames.at(-2)).toMatchObject({ is_error: true });
    expect(code).toBe(1);
  });
});

describe("limits", () => {
  it("[YUME-LOOP-3] of turns end the run with what was reached", async () => {
    const place = await makePlace([uses(["LS", {}]), uses(["LS", {}]), says("never")]);
    const { frames, code } = await runYume(place, [...openai, "--max-turns", "2", "--prompt", "x"]);
    expect(frames.at(-2)).toMatchObject({
      type: "result",
      subtype: "error_max_turns",
      is_error: true,
      num_turns: 2,
      errors: ["The limit of 2 turns was reached."],
    });
    expect(place.model.requests).toHaveLength(2);
    expect(code).toBe(1);
  });

  it("[YUME-LOOP-3] of cost end the run by the table of prices, which can be overridden", async () => {
    const place = await makePlace([{ ...uses(["LS", {}]), usage: { input_tokens: 1_000, output_tokens: 1_000 } }, says("never")]);
    const settings = JSON.stringify({ prices: { scripted: { input: 500, output: 500 } } });
    const { frames } = await runYume(place, [...openai, "--max-budget-usd", "0.9", "--settings", settings, "--prompt", "x"]);
    expect(frames.at(-2)).toMatchObject({ subtype: "error_max_budget_usd", total_cost_usd: 1 });
  });

  it("[YUME-LOOP-3] of time end a run whose command would go on", async () => {
    const place = await makePlace([uses(["Bash", { command: "sleep 300" }]), says("never")]);
    const { frames } = await runYume(place, [...openai, "--max-seconds", "1.5", "--permission-mode", "auto", "--prompt", "x"]);
    expect(frames.at(-2)).toMatchObject({
      subtype: "error_during_execution",
      errors: ["The time limit of 1.5 seconds was reached."],
    });
  });
});

describe("a host that stays", () => {
  const persistent = ["start", ...openai, "--session-id", "kept"];

  it("[YUME-PROCESS-3] gets init at once, then a result for every message, until it closes", async () => {
    const place = await makePlace([says("One."), says("Two.")]);
    const started = startYume(place, persistent);
    await started.until(({ subtype }) => subtype === "init");
    started.say({ type: "user", content: "first" });
    await started.until(({ type }) => type === "message_stop");
    started.say({ type: "user", content: "second" });
    await started.until(({ type, result }) => type === "result" && result === "Two.");
    started.process.stdin.end();
    const { frames, code } = await started.ended;
    expect(kinds(frames).filter((kind) => !["text", "usage"].includes(kind))).toEqual([
      "system/init",
      "result",
      "message_stop",
      "result",
      "message_stop",
    ]);
    expect(place.asked()).toContain("first");
    expect(code).toBe(0);
  });

  it("[YUME-PERMIT-3] approves or refuses a call that waits, by its id, after its tool_use", async () => {
    const place = await makePlace([uses(write("yes")), says("Written."), uses(write("no")), says("Then not.")]);
    const started = startYume(place, [...persistent, "--permission-mode", "interactive"]);
    started.say({ type: "user", content: "write" });
    const first = await started.until(({ type }) => type === "tool_use");
    expect(existsSync(join(place.work, "made.txt"))).toBe(false);
    started.say({ type: "tool_approval", id: first.id, approved: true });
    await started.until(({ result }) => result === "Written.");
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("yes");
    started.say({ type: "user", content: "again" });
    const second = await started.until(({ type, id }) => type === "tool_use" && id !== first.id);
    started.say({ type: "tool_approval", id: second.id, approved: false, message: "Not that." });
    const result = await started.until(({ result: text }) => text === "Then not.");
    started.process.stdin.end();
    await started.ended;
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("yes");
    expect(result).toMatchObject({ permission_denials: [{ tool_name: "Write", tool_use_id: second.id }] });
    expect(place.asked()).toContain("Not that.");
  });

  it("[YUME-PERMIT-3] takes only true for a yes, and a host that leaves for none", async () => {
    const place = await makePlace([uses(write("a")), says("No."), uses(write("b")), says("No again.")]);
    const started = startYume(place, persistent);
    started.say({ type: "user", content: "write" });
    const call = await started.until(({ type }) => type === "tool_use");
    started.say({ type: "tool_approval", id: call.id, approved: "true" });
    await started.until(({ result }) => result === "No.");
    started.say({ type: "user", content: "write" });
    await started.until(({ type, id }) => type === "tool_use" && id !== call.id);
    started.process.stdin.end();
    const { frames } = await started.ended;
    expect(existsSync(join(place.work, "made.txt"))).toBe(false);
    expect(frames.at(-2)).toMatchObject({ result: "No again." });
  });

  it("[YUME-PROCESS-3] changes the mode between messages", async () => {
    const place = await makePlace([uses(write("auto")), says("Written.")]);
    const started = startYume(place, [...persistent, "--permission-mode", "deny"]);
    started.say({ type: "set_permission_mode", mode: "auto" });
    started.say({ type: "user", content: "write" });
    started.process.stdin.end();
    await started.ended;
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("auto");
  });

  it("[YUME-PROCESS-3] interrupts the turn and takes the next message", async () => {
    const place = await makePlace([hangs("chat", "I begin with xyzzy"), says("Fresh.")]);
    const started = startYume(place, persistent);
    started.say({ type: "user", content: "long" });
    await started.until(({ type }) => type === "text");
    started.say({ type: "interrupt" });
    await started.until(({ type }) => type === "message_stop");
    started.say({ type: "user", content: "short" });
    await started.until(({ result }) => result === "Fresh.");
    started.process.stdin.end();
    const { frames, code } = await started.ended;
    expect(kinds(frames)).toContain("interrupt");
    expect(code).toBe(0);
  });

  it("[YUME-PROCESS-3] speaks Claude's control protocol on the same input, and refuses what it does not know", async () => {
    const place = await makePlace([says("Hello.")]);
    const started = startYume(place, persistent);
    started.say({ type: "control_request", request_id: "a", request: { subtype: "initialize" } });
    started.say({ type: "control_request", request_id: "b", request: { subtype: "teleport" } });
    started.say({ type: "keep_alive" });
    started.process.stdin.write("not json\n");
    started.say({ type: "user", content: "hi" });
    started.process.stdin.end();
    const { frames } = await started.ended;
    const answers = frames.filter(({ type }) => type === "control_response").map(({ response }) => response);
    expect(answers).toEqual([
      expect.objectContaining({ subtype: "success", request_id: "a" }),
      expect.objectContaining({ subtype: "error", request_id: "b", error_code: "unsupported_request" }),
    ]);
    expect(kinds(frames)).toContain("error");
    expect(frames.at(-2)).toMatchObject({ result: "Hello." });
  });
});

describe("sessions", () => {
  it("[YUME-SESSION-2] are kept, resumed with their history, and continued by folder", async () => {
    const place = await makePlace([says("Hello, Alex."), says("Alex."), says("Still Alex.")]);
    const first = await runYume(place, [...openai, "--prompt", "I am Alex"]);
    const id = String(first.frames[0]?.session_id);
    expect(JSON.parse(readFileSync(join(place.home, ".yume/sessions", `${id}.json`), "utf8"))).toMatchObject({
      version: 1,
      id,
      cwd: place.work,
    });
    const second = await runYume(place, [...openai, "--resume", id, "--prompt", "Who am I?"]);
    expect(second.frames[0]).toMatchObject({ session_id: id });
    expect(place.asked()).toContain("I am Alex");
    await runYume(place, [...openai, "--continue", "--prompt", "And now?"]);
    expect(place.asked()).toContain("Who am I?");
    expect(readdirSync(join(place.home, ".yume/sessions"))).toEqual([`${id}.json`]);
  });

  it("[YUME-SESSION-2] are forked under a new id, which is told", async () => {
    const place = await makePlace([says("Hello."), says("Copy.")]);
    const id = String((await runYume(place, [...openai, "--prompt", "One"])).frames[0]?.session_id);
    const { frames } = await runYume(place, [...openai, "--resume", id, "--fork-session", "--prompt", "Two"]);
    expect(kinds(frames).slice(0, 2)).toEqual(["system/init", "system/session_id"]);
    expect(frames[1]?.session_id).not.toBe(id);
    expect(place.asked()).toContain("One");
  });

  it("[YUME-SESSION-3] cannot be had by two processes at once; a killed one's is free again", async () => {
    const place = await makePlace([hangs("chat", "I begin with xyzzy"), says("Free.")]);
    const holder = startYume(place, [...openai, "--session-id", "mine", "--prompt", "One"]);
    await holder.until(({ type }) => type === "text");
    const { frames, code } = await runYume(place, [...openai, "--resume", "mine", "--prompt", "Two"]);
    expect(String(frames[1]?.message)).toMatch(/Session mine is in use by process \d+/);
    expect(code).toBe(1);
    holder.process.kill("SIGKILL");
    await holder.ended;
    const after = await runYume(place, [...openai, "--resume", "mine", "--prompt", "Three"]);
    expect(after.frames.at(-2)).toMatchObject({ result: "Free." });
  });

  it("[YUME-SESSION-3] of a process that was killed in a call are resumed with a result for it", async () => {
    const place = await makePlace([uses(["Bash", { command: "sleep 300" }]), says("I see.")]);
    const started = startYume(place, [...openai, "--session-id", "cut", "--permission-mode", "auto", "--prompt", "Sleep"]);
    await started.until(({ type }) => type === "tool_use");
    started.process.kill("SIGKILL");
    await started.ended;
    // A session of an earlier version, which did not record what began.
    const path = join(place.home, ".yume/sessions/cut.json");
    const session = JSON.parse(readFileSync(path, "utf8"));
    delete session.begun;
    session.turns = session.turns.slice(0, 1);
    session.turns.push({
      role: "assistant",
      content: [{ type: "tool_use", id: "lost", name: "Bash", input: { command: "sleep 300" } }],
    });
    writeFileSync(path, JSON.stringify(session));
    const { frames } = await runYume(place, [...openai, "--resume", "cut", "--prompt", "What happened?"]);
    expect(frames.at(-2)).toMatchObject({ result: "I see." });
    expect(place.asked()).toContain("The run ended before this call had a result");
  });

  it("[YUME-SESSION-3] that are damaged or newer are refused, and not overwritten", async () => {
    const place = await makePlace();
    mkdirSync(join(place.home, ".yume/sessions"), { recursive: true });
    for (const [content, words] of [
      ["{half", "is damaged"],
      ['{"version":9,"id":"bad","turns":[]}', "has version 9"],
    ] as const) {
      const path = join(place.home, ".yume/sessions/bad.json");
      writeFileSync(path, content);
      const { frames } = await runYume(place, [...openai, "--resume", "bad", "--prompt", "x"]);
      expect(String(frames[1]?.message)).toContain(words);
      expect(readFileSync(path, "utf8")).toBe(content);
    }
  });

  it("[YUME-SESSION-4] begin with a host's own history", async () => {
    const place = await makePlace([says("Blue.")]);
    const history = [
      { role: "user", content: "My colour is blue" },
      {
        type: "assistant",
        message: {
          role: "assistant",
          content: [
            { type: "text", text: "Noted." },
            { type: "tool_use", id: "t1", name: "LS", input: {} },
          ],
        },
      },
    ];
    writeFileSync(join(place.work, "history.jsonl"), history.map((message) => JSON.stringify(message)).join("\n"));
    const { frames } = await runYume(place, [...openai, "--history-file", "history.jsonl", "--prompt", "Which colour?"]);
    expect(frames.at(-2)).toMatchObject({ result: "Blue." });
    expect(place.asked()).toContain("My colour is blue");
    writeFileSync(join(place.work, "bad.jsonl"), '{"role":"user","content":"x"}\n{oops\n');
    const bad = await runYume(place, [...openai, "--history-file", "bad.jsonl", "--prompt", "x"]);
    expect(String(bad.frames[1]?.message)).toContain("Line 2 of the history file");
  });

  it("[YUME-SESSION-2] are not written when that is not wanted", async () => {
    const place = await makePlace([says("Hello.")]);
    await runYume(place, [...openai, "--no-session-persistence", "--prompt", "One"]);
    expect(existsSync(join(place.home, ".yume/sessions"))).toBe(false);
  });
});
