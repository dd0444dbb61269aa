// What hosts of the Claude Agent SDK do beyond prompts: answering questions, plans, context usage, MCP servers that change or die.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Options, type Query, query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { connectPerson } from "@hap/sdk/person";
import { describe, expect, it } from "vitest";
import { makePlace, type Place, runYume, says, startYume, uses, yumeCli } from "./support/place.ts";

const near = {
  command: process.execPath,
  args: [fileURLToPath(new URL("./support/stdio-mcp-server.mjs", import.meta.url))],
};
const base = (place: Place): Options => ({
  pathToClaudeCodeExecutable: yumeCli,
  cwd: place.work,
  env: place.env,
  settingSources: [],
});
const userMessage = (text: string): SDKUserMessage => ({
  type: "user",
  message: { role: "user", content: text },
  parent_tool_use_id: null,
});
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue", description: "like the sea" }],
};

/** A conversation in which the host acts before each prompt. */
async function converse(place: Place, options: Options, steps: ((running: Query) => Promise<string>)[]): Promise<void> {
  let turn = Promise.withResolvers<void>();
  turn.resolve();
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (const step of steps) {
      await turn.promise;
      turn = Promise.withResolvers<void>();
      yield userMessage(await step(running));
    }
    await turn.promise;
  }
  const running: Query = query({ prompt: prompts(), options: { ...base(place), ...options } });
  for await (const message of running) if (message.type === "result") turn.resolve();
}

describe("questions of the model", () => {
  it("[YUME-ASK-1] are answered by the host's canUseTool", async () => {
    const place = await makePlace([uses(["AskUserQuestion", { questions: [colour] }]), says("Blue it is.")]);
    for await (const _ of query({
      prompt: "Paint it",
      options: {
        ...base(place),
        canUseTool: async (_name, input) => ({
          behavior: "allow",
          updatedInput: { ...input, answers: { "Which colour?": "Blue" } },
        }),
      },
    }));
    expect(place.asked()).toContain("Which colour?\\n-> Blue");
  });

  it("[YUME-ASK-1] become tickets with --approvals hap", async () => {
    const place = await makePlace([uses(["AskUserQuestion", { questions: [colour] }]), says("Done.")]);
    const person = await connectPerson({ dbPath: place.env.HAP_DB_PATH as string, person: "human:alex" });
    const started = startYume(place, ["--provider", "openai", "--approvals", "hap", "--prompt", "Paint it"]);
    started.process.stdin.end();
    for (;;) {
      const [ticket] = (await person.list({ state: "open" })).tickets;
      if (ticket !== undefined) {
        await person.answer(ticket.id, "Blue");
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await started.ended).code).toBe(0);
    await person.close();
    expect(place.asked()).toContain("Which colour?\\n-> Blue");
  });

  it("[YUME-ASK-1] are not offered where nobody could answer", async () => {
    const place = await makePlace([says("Fine.")]);
    const { frames } = await runYume(place, ["-p", "x", "--output-format", "stream-json"]);
    expect(frames[0]?.tools).not.toContain("AskUserQuestion");
  });

  it("[YUME-ASK-2] a plan that the user agrees to ends plan mode; one that they reject does not", async () => {
    const write: [string, Record<string, unknown>] = ["Write", { file_path: "made.txt", content: "x" }];
    const place = await makePlace([uses(["ExitPlanMode", { plan: "1. write" }]), uses(write), says("Done.")]);
    const seen: string[] = [];
    const options = (agrees: boolean): Options => ({
      ...base(place),
      permissionMode: "plan",
      canUseTool: async (name, input) => {
        seen.push(name);
        return agrees ? { behavior: "allow", updatedInput: input } : { behavior: "deny", message: "not yet" };
      },
    });
    for await (const _ of query({ prompt: "Plan", options: options(true) }));
    expect(seen).toEqual(["ExitPlanMode", "Write"]);
    expect(existsSync(join(place.work, "made.txt"))).toBe(true);
    seen.length = 0;
    place.model.say(
      uses(["ExitPlanMode", { plan: "2. more" }]),
      uses(["Write", { file_path: "no.txt", content: "x" }]),
      says("Ok."),
    );
    for await (const _ of query({ prompt: "Plan", options: options(false) }));
    expect(seen).toEqual(["ExitPlanMode"]);
    expect(existsSync(join(place.work, "no.txt"))).toBe(false);
  });
});

describe("the control protocol", () => {
  it("[YUME-CONTROL-1] tells how full the context is, and takes other MCP servers in mid-run", async () => {
    const place = await makePlace([says("Hello."), uses(["mcp__near__say", {}]), says("Heard."), says("Gone.")]);
    const told: unknown[] = [];
    await converse(place, { allowedTools: ["mcp__near"] }, [
      async () => "Hi",
      async (running) => {
        told.push(await running.getContextUsage());
        told.push(await running.setMcpServers({ near, bad: { command: "/no/such/server" } }));
        return "Ask the server";
      },
      async (running) => {
        told.push(await running.setMcpServers({}));
        return "And now?";
      },
    ]);
    expect(told).toMatchObject([
      { model: "scripted", maxTokens: 128_000, percentage: expect.any(Number), totalTokens: expect.any(Number) },
      { added: ["near", "bad"], errors: { bad: expect.any(String) } },
      { removed: expect.arrayContaining(["near"]) },
    ]);
    expect(place.asked(2)).toMatch(/pid \d+/);
    expect(place.asked(3)).not.toContain("Says who it is");
  });

  it("[YUME-MCP-4] a server that died is connected again with the next call", async () => {
    const place = await makePlace([
      uses(["mcp__near__say", {}]),
      uses(["mcp__near__die", {}]),
      uses(["mcp__near__say", {}]),
      says("Back."),
    ]);
    const config = JSON.stringify({ mcpServers: { near } });
    const { frames } = await runYume(place, [
      "--provider",
      "openai",
      "--prompt",
      "x",
      "--mcp-config",
      config,
      "--allowedTools",
      "mcp__near",
    ]);
    const results = frames.filter(({ type }) => type === "tool_result");
    expect(results.map(({ is_error }) => is_error)).toEqual([false, true, false]);
    expect(results[2]?.content).toMatch(/pid \d+/);
    expect(results[2]?.content).not.toBe(results[0]?.content);
  });
});
