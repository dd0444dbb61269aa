// What a run must not lose: calls that began, results that came, the whole answer, and the wait for a busy provider.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makePlace, refuses, runYume, says, startYume, uses } from "./support/place.ts";

const openai = ["--provider", "openai", "--permission-mode", "auto"];

async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await sleep(10);
}

describe("a process that is killed while a call runs", () => {
  it("[YUME-SESSION-7] has saved the call and the results before it; who resumes is told which began", async () => {
    const place = await makePlace([
      uses(
        ["Write", { file_path: "first.txt", content: "1" }],
        ["Bash", { command: "touch began; sleep 600" }],
        ["Write", { file_path: "third.txt", content: "3" }],
      ),
      says("Understood."),
    ]);
    const started = startYume(place, [...openai, "--session-id", "s1", "--prompt", "go"]);
    await appears(join(place.work, "began"));
    started.process.kill("SIGKILL");
    await started.ended;
    const saved = readFileSync(join(place.home, ".yume", "sessions", "s1.json"), "utf8");
    expect(saved).toContain("touch began; sleep 600");
    const { code } = await runYume(place, [...openai, "--resume", "s1", "--prompt", "and now?"]);
    expect(code).toBe(0);
    const { messages } = JSON.parse(place.asked()) as { messages: { role: string; content: string }[] };
    const results = messages.filter(({ role }) => role === "tool");
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining("first.txt"),
      expect.stringContaining("This call began"),
      expect.stringContaining("before this call changed anything"),
    ]);
  });
});

describe("the final answer", () => {
  const long = `${"many words, and 你好; ".repeat(10_000)}the end`;

  it("[YUME-END-2] is never cut, in any format", async () => {
    const place = await makePlace([says(long), says(long), says(long), says(long)]);
    expect((await runYume(place, ["-p", "x"])).stdout).toBe(`${long}\n`);
    expect(JSON.parse((await runYume(place, ["-p", "x", "--output-format", "json"])).stdout).result).toBe(long);
    const claude = await runYume(place, ["-p", "x", "--output-format", "stream-json"]);
    expect(claude.frames.at(-1)?.result).toBe(long);
    const flat = await runYume(place, ["--provider", "openai", "--prompt", "x"]);
    expect(flat.frames.find(({ type }) => type === "result")?.result).toBe(long);
  });

  it("[YUME-END-2] is whole when the model reached its output limit again and again", async () => {
    const parts = ["one ", "two ", "three ", "four ", "five"];
    const place = await makePlace(parts.map((text, index) => says(text, index < 4 ? { stop_reason: "max_tokens" } : {})));
    const { stdout, code } = await runYume(place, ["-p", "count"]);
    expect(stdout).toBe("one two three four five\n");
    expect(code).toBe(0);
  });
});

describe("a provider that is busy", () => {
  const busy = [503, 429, 529, 503, 503].map((status) => refuses(status, "busy"));

  it.each([
    ["claude", ["-p", "x", "--output-format", "stream-json"]],
    ["yume", ["--provider", "openai", "--prompt", "x"]],
  ])("[YUME-RETRY-4] is asked again for as long as --retry-seconds says, each wait told in the %s dialect", async (_, args) => {
    const place = await makePlace([...busy, says("At last.")]);
    const { frames, code } = await runYume(place, [...args, "--retry-seconds", "60"]);
    const waits = frames.filter(({ subtype }) => subtype === "api_retry");
    expect(waits.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    for (const wait of waits) expect(wait).toMatchObject({ max_retries: expect.any(Number), retry_delay_ms: expect.any(Number) });
    expect(frames.find(({ type }) => type === "result")).toMatchObject({ subtype: "success", result: "At last." });
    expect(code).toBe(0);
  });

  it("[YUME-RETRY-4] is given up after three tries with --retry-seconds 0", async () => {
    const place = await makePlace([...busy, says("never asked")]);
    const { frames, code } = await runYume(place, ["-p", "x", "--output-format", "stream-json", "--retry-seconds", "0"]);
    expect(frames.filter(({ subtype }) => subtype === "api_retry")).toHaveLength(2);
    expect(code).toBe(1);
  });
});
