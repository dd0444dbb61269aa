// The stream as Claude's clients read it, the dialect without -p, and words that are commands.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, runYume, says, startYume, uses, WIRES } from "./support/place.ts";
import type { ScriptedTurn } from "./wire/encode-turn.ts";

const thought = (text: string, then: ScriptedTurn["content"]): ScriptedTurn => ({
  content: [{ type: "thinking", thinking: text }, ...then],
});

describe("assistant frames", () => {
  it("[YUME-DIALECT-3] come one a block, when the block ends, before the next begins", async () => {
    const place = await makePlace([thought("Let me think.", [{ type: "text", text: "The answer." }])], "anthropic");
    const { frames } = await runYume(place, ["-p", "x", "--output-format", "stream-json", "--include-partial-messages"]);
    const order = frames.flatMap((frame) => {
      if (frame.type === "assistant") return (frame.message as { content: { type: string }[] }).content.map(({ type }) => type);
      const event = frame.event as { type: string; index?: number } | undefined;
      return event?.type === "content_block_start" || event?.type === "content_block_stop"
        ? [`${event.type} ${event.index}`]
        : [];
    });
    expect(order).toEqual([
      "content_block_start 0",
      "thinking",
      "content_block_stop 0",
      "content_block_start 1",
      "text",
      "content_block_stop 1",
    ]);
    const ids = frames.filter(({ type }) => type === "assistant").map(({ message }) => (message as { id: string }).id);
    expect(new Set(ids).size).toBe(1);
  });
});

describe("the dialect", () => {
  it("[YUME-ARGV-1] of --output-format stream-json without anything of ours is Claude's", async () => {
    const place = await makePlace([says("Hello.")]);
    const { frames } = await runYume(place, ["--output-format", "stream-json", "--verbose", "Say hello"]);
    expect(frames.map(({ type }) => type)).toEqual(["system", "assistant", "result"]);
  });
});

describe("standard input that stays open", () => {
  it("[YUME-PROCESS-4] does not hold a run that has its prompt", async () => {
    const place = await makePlace([says("Hello.")]);
    const started = startYume(place, ["-p", "Say hello", "--output-format", "json"]);
    const { code, stdout } = await started.ended;
    expect([code, JSON.parse(stdout).result]).toEqual([0, "Hello."]);
  });
});

describe("words that are commands", () => {
  it("[YUME-ARGV-3] help and doctor answer without asking a model; a sentence is still a prompt", async () => {
    const place = await makePlace([says("Sure.")]);
    expect((await runYume(place, ["help"])).stdout).toContain("yume-cli start --provider");
    const doctor = await runYume(place, ["doctor"]);
    expect(doctor.stdout).toContain("ok   provider: openai, scripted");
    expect(doctor.code).toBe(0);
    expect(place.model.requests).toEqual([]);
    await runYume(place, ["-p", "help", "me"]);
    await runYume(place, ["help", "me", "please"]);
    expect(place.asked(0)).toContain("help");
  });

  it("[YUME-ARGV-3] doctor fails with what is missing", async () => {
    const place = await makePlace();
    const { OPENAI_API_KEY: _, OPENAI_BASE_URL: __, ...env } = place.env;
    place.env = env;
    const { stdout, code } = await runYume(place, ["doctor"]);
    expect(stdout).toContain("FAIL key: none. Set OPENAI_API_KEY");
    expect(code).toBe(1);
  });

  it("[YUME-ARGV-3] mcp list shows servers and whether they work; those of a project need the user's approval", async () => {
    const place = await makePlace();
    const config = { mcpServers: { broken: { command: "/no/such/server" }, other: { command: "/no/such/other" } } };
    writeFileSync(join(place.work, ".mcp.json"), JSON.stringify(config));
    const settings = JSON.stringify({ enabledMcpjsonServers: ["broken"] });
    const { stdout, code } = await runYume(place, ["mcp", "list", "--settings", settings]);
    expect(stdout).toMatch(/broken: \/no\/such\/server - failed/);
    expect(stdout).toMatch(/other: \.mcp\.json - not approved/);
    expect(code).toBe(1);
  });
});

describe.each(WIRES)("how hard to think, over %s", (wire) => {
  const model: Record<string, string> = {
    chat: "gpt-5.4",
    responses: "gpt-5.4",
    anthropic: "claude-sonnet-5",
    gemini: "gemini-3.6-flash",
    ollama: "gpt-oss",
  };
  const expected: Record<string, string> = {
    chat: '"reasoning_effort":"high"',
    responses: '"effort":"high"',
    anthropic: '"effort":"high"',
    gemini: '"thinkingLevel":"HIGH"',
    ollama: '"think":"high"',
  };
  const none: Record<string, string | null> = {
    chat: '"reasoning_effort":"none"',
    responses: '"effort":"none"',
    anthropic: null,
    gemini: '"thinkingLevel":"LOW"',
    ollama: '"think":false',
  };

  it("[YUME-MODEL-2] follows from --effort and --thinking", async () => {
    const place = await makePlace([says("Hm."), says("Hm.")], wire);
    const args = ["-p", "x", "--model", model[wire] as string];
    await runYume(place, [...args, "--effort", "high"], "", { env: { YUME_MODEL: model[wire] as string } });
    expect(place.asked()).toContain(expected[wire]);
    await runYume(place, [...args, "--thinking=disabled"], "", { env: { YUME_MODEL: model[wire] as string } });
    if (none[wire] !== null) expect(place.asked()).toContain(none[wire]);
    else expect(place.asked()).not.toContain('"thinking"');
  });
});

describe("a user's folder that cannot be used", () => {
  it.each(["/proc/nonexist", "/dev/null"])("[YUME-PROCESS-5] %s: the run works and is not saved", async (home) => {
    const place = await makePlace([uses(["Bash", { command: "echo fine" }]), says("Done.")]);
    const env = { HOME: home, XDG_CACHE_HOME: "" };
    const { code, stderr, stdout } = await runYume(place, ["-p", "x"], "", { env });
    expect([code, stdout]).toEqual([0, "Done.\n"]);
    expect(stderr).toContain("this session is not saved");
  });
});
