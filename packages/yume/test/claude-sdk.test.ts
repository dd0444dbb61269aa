// The real Claude Agent SDK drives the real executable, on every wire: what its users do works on models that are not Claude.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createSdkMcpServer,
  type Options,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  tool,
} from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { hangs, makePlace, type Place, refuses, says, uses, WIRES, yumeCli } from "./support/place.ts";

const base = (place: Place): Options => ({
  pathToClaudeCodeExecutable: yumeCli,
  cwd: place.work,
  env: place.env,
  settingSources: [],
});

/** Run a query to its end. */
async function ask(place: Place, prompt: string, options: Options = {}): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of query({ prompt, options: { ...base(place), ...options } })) messages.push(message);
  return messages;
}

const resultOf = (messages: readonly SDKMessage[]) => messages.find((message) => message.type === "result") as SDKResultMessage;
const toolResults = (messages: readonly SDKMessage[]) =>
  messages.flatMap((message) =>
    message.type === "user" && Array.isArray(message.message.content) ? message.message.content : [],
  ) as {
    type: string;
    tool_use_id: string;
    content: string;
    is_error: boolean;
  }[];
const write = (content: string): [string, Record<string, unknown>] => ["Write", { file_path: "made.txt", content }];

describe.each(WIRES)("query() of the Claude Agent SDK, over %s", (wire) => {
  it("[YUME-SDK-1] gets an answer in words", async () => {
    const place = await makePlace([says("Four, of course.")], wire);
    const messages = await ask(place, "2+2?");
    expect(messages.map((message) => message.type)).toEqual(["system", "assistant", "result"]);
    expect(messages[0]).toMatchObject({ subtype: "init", cwd: place.work, model: "scripted", permissionMode: "default" });
    expect(resultOf(messages)).toMatchObject({ subtype: "success", is_error: false, result: "Four, of course.", num_turns: 1 });
    expect(place.asked()).toContain("2+2?");
  });

  it("[YUME-SDK-1] sees a tool being used and its result", async () => {
    const place = await makePlace([uses("I look.", ["Read", { file_path: "note.txt" }]), says("It says 42.")], wire);
    writeFileSync(join(place.work, "note.txt"), "the answer is 42\n");
    const messages = await ask(place, "What does the note say?");
    expect(toolResults(messages)[0]).toMatchObject({ type: "tool_result", is_error: false, content: "     1\tthe answer is 42" });
    expect(resultOf(messages)).toMatchObject({ subtype: "success", result: "It says 42.", num_turns: 2 });
    expect(place.asked()).toContain("the answer is 42");
  });

  it("[YUME-SDK-2] allows a call, with another input when the host says so", async () => {
    const place = await makePlace([uses(write("asked")), says("Done.")], wire);
    const asked: string[] = [];
    const messages = await ask(place, "Write it", {
      canUseTool: async (name, input) => {
        asked.push(name);
        return { behavior: "allow", updatedInput: { ...input, content: "changed by the host" } };
      },
    });
    expect(asked).toEqual(["Write"]);
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("changed by the host");
    expect(resultOf(messages)).toMatchObject({ subtype: "success", permission_denials: [] });
  });

  it("[YUME-SDK-2] denies a call, tells the model why and lists the denial", async () => {
    const place = await makePlace([uses(write("no")), says("Then not.")], wire);
    const messages = await ask(place, "Write it", {
      canUseTool: async () => ({ behavior: "deny", message: "Not on a Friday." }),
    });
    expect(existsSync(join(place.work, "made.txt"))).toBe(false);
    const [result] = toolResults(messages);
    expect(result).toMatchObject({ is_error: true, content: "Not on a Friday." });
    expect(resultOf(messages).permission_denials).toEqual([
      { tool_name: "Write", tool_use_id: result?.tool_use_id, tool_input: { file_path: "made.txt", content: "no" } },
    ]);
    expect(place.asked()).toContain("Not on a Friday.");
  });

  it("[YUME-SDK-3] asks hooks before a call and tells them after it", async () => {
    const place = await makePlace([uses(write("one"), ["Bash", { command: "rm -rf /" }]), says("Done.")], wire);
    const events: string[] = [];
    const messages = await ask(place, "Go", {
      permissionMode: "bypassPermissions",
      allowDangerouslySkipPermissions: true,
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [
              async (input) => {
                events.push(`before ${(input as { tool_name: string }).tool_name}`);
                const hookSpecificOutput = { hookEventName: "PreToolUse" as const, permissionDecision: "deny" as const };
                return { hookSpecificOutput: { ...hookSpecificOutput, permissionDecisionReason: "No shells here." } };
              },
            ],
          },
        ],
        PostToolUse: [
          {
            hooks: [
              async (input) => {
                events.push(`after ${(input as { tool_name: string }).tool_name}`);
                return { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "The hook saw it." } };
              },
            ],
          },
        ],
      },
    });
    expect(events).toEqual(["after Write", "before Bash"]);
    expect(toolResults(messages)[1]).toMatchObject({ is_error: true, content: expect.stringContaining("No shells here.") });
    expect(place.asked()).toContain("The hook saw it.");
  });

  it("[YUME-SDK-4] uses tools of an MCP server in the host's own process", async () => {
    const place = await makePlace([uses(["mcp__sums__add", { a: 2, b: 40 }]), says("42")], wire);
    const add = tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }));
    const sums = createSdkMcpServer({ name: "sums", tools: [add] });
    const messages = await ask(place, "Add", { mcpServers: { sums }, allowedTools: ["mcp__sums__add"] });
    expect(messages[0]).toMatchObject({ subtype: "init", mcp_servers: [{ name: "sums", status: "connected" }] });
    expect((messages[0] as { tools: string[] }).tools).toContain("mcp__sums__add");
    expect(toolResults(messages)[0]).toMatchObject({ is_error: false, content: "42" });
  });

  it("[YUME-SDK-5] is interrupted in mid-answer and goes on with the next message", async () => {
    const place = await makePlace([hangs(wire, "I begin with xyzzy"), says("Back again.")], wire);
    const { promise: second, resolve: release } = Promise.withResolvers<void>();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield userMessage("Count to a million");
      await second;
      yield userMessage("Never mind");
    }
    const running = query({ prompt: prompts(), options: { ...base(place), includePartialMessages: true } });
    const results: SDKResultMessage[] = [];
    let interrupted = false;
    for await (const message of running) {
      if (!interrupted && message.type === "stream_event" && message.event.type === "content_block_delta") {
        interrupted = true;
        await running.interrupt();
      }
      if (message.type !== "result") continue;
      results.push(message);
      if (results.length === 1) release();
    }
    expect(results.map(({ subtype }) => subtype)).toEqual(["error_during_execution", "success"]);
    expect(results[1]).toMatchObject({ result: "Back again." });
  });

  it("[YUME-SDK-6] resumes a session with its history, and forks it", async () => {
    const place = await makePlace([says("Hello, Alex."), says("You are Alex."), says("A copy.")], wire);
    const session = resultOf(await ask(place, "I am Alex")).session_id;
    const second = await ask(place, "Who am I?", { resume: session });
    expect(resultOf(second)).toMatchObject({ session_id: session, result: "You are Alex." });
    for (const words of ["I am Alex", "Hello, Alex.", "Who am I?"]) expect(place.asked()).toContain(words);
    const third = await ask(place, "And now?", { resume: session, forkSession: true });
    expect(resultOf(third).session_id).not.toBe(session);
    expect(place.asked()).toContain("You are Alex.");
  });

  it("[YUME-SDK-7] streams partial messages that add up to the whole", async () => {
    const place = await makePlace([uses("one two three", ["LS", {}]), says("end")], wire);
    const messages = await ask(place, "Go", { includePartialMessages: true });
    const events = messages.flatMap((message) => (message.type === "stream_event" ? [message.event] : []));
    const first = events.slice(0, events.findIndex(({ type }) => type === "message_stop") + 1);
    expect(first.map(({ type }) => type).filter((type) => type !== "content_block_delta")).toEqual([
      "message_start",
      ...["content_block_start", "content_block_stop", "content_block_start", "content_block_stop"],
      "message_delta",
      "message_stop",
    ]);
    const text = first.flatMap((event) =>
      event.type === "content_block_delta" && event.delta.type === "text_delta" ? [event.delta.text] : [],
    );
    expect(text.join("")).toBe("one two three");
  });

  it("[YUME-SDK-8] hears of a provider's error as an error, not as silence", async () => {
    const place = await makePlace([refuses(401, "no such key")], wire);
    const messages: SDKMessage[] = [];
    const running = async () => {
      for await (const message of query({ prompt: "Hi", options: base(place) })) messages.push(message);
    };
    await expect(running()).rejects.toThrow();
    expect(messages.find((message) => message.type === "assistant")).toMatchObject({ error: "authentication_failed" });
    const result = resultOf(messages);
    expect(result).toMatchObject({ is_error: true, subtype: "error_during_execution" });
    expect(JSON.stringify(result)).toContain("no such key");
  });
});

describe("query() of the Claude Agent SDK", () => {
  it("[YUME-SDK-2] denies what would ask when the host answers no questions", async () => {
    const place = await makePlace([uses(write("no")), says("Then not.")]);
    const messages = await ask(place, "Write it");
    expect(existsSync(join(place.work, "made.txt"))).toBe(false);
    expect(toolResults(messages)[0]?.content).toContain("nobody can be asked");
  });

  it("[YUME-SDK-2] takes rules and modes from options", async () => {
    const place = await makePlace([uses(write("by rule"), ["Bash", { command: "touch other.txt" }]), says("Done.")]);
    const messages = await ask(place, "Write it", { allowedTools: ["Bash(touch:*)"], permissionMode: "acceptEdits" });
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("by rule");
    expect(existsSync(join(place.work, "other.txt"))).toBe(true);
    expect(resultOf(messages).permission_denials).toEqual([]);
  });

  it("[YUME-SESSION-1] hears that a session is unknown, and never begins another in its place", async () => {
    const place = await makePlace([says("never said")]);
    await expect(ask(place, "Who am I?", { resume: "3b7c1c4e-0000-4000-8000-000000000000" })).rejects.toThrow();
    expect(place.model.requests).toEqual([]);
  });

  it("[YUME-SCHEMA-1] gives output that fits a schema, after one that did not", async () => {
    const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"], additionalProperties: false };
    const place = await makePlace([uses(["StructuredOutput", { n: "x" }]), uses(["StructuredOutput", { n: 7 }])]);
    const messages = await ask(place, "A number", { outputFormat: { type: "json_schema", schema } });
    expect(resultOf(messages)).toMatchObject({ subtype: "success", structured_output: { n: 7 } });
  });

  it("[YUME-SDK-10] runs sub-agents, whose messages name the call that started them", async () => {
    const place = await makePlace([
      uses(["Task", { description: "count", prompt: "Count the files", subagent_type: "counter" }]),
      says("There are two."),
      says("The counter says two."),
    ]);
    const messages = await ask(place, "How many?", {
      agents: { counter: { description: "Counts", prompt: "You count things." } },
    });
    const inner = messages.filter((message) => message.type === "assistant" && message.parent_tool_use_id !== null);
    expect(inner).toHaveLength(1);
    expect(toolResults(messages)[0]).toMatchObject({ is_error: false, content: "There are two." });
    expect(JSON.stringify(place.model.requests[1]?.body)).toContain("You count things.");
    expect(resultOf(messages)).toMatchObject({ result: "The counter says two." });
  });

  it("[YUME-SDK-11] changes mode and model between turns, and answers what it does not know", async () => {
    const place = await makePlace([says("one"), uses(write("two")), says("done")]);
    const { promise: second, resolve: release } = Promise.withResolvers<void>();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield userMessage("first");
      await second;
      yield userMessage("second");
    }
    const running = query({ prompt: prompts(), options: base(place) });
    const inits: unknown[] = [];
    for await (const message of running) {
      if (message.type === "system" && message.subtype === "init") inits.push([message.permissionMode, message.model]);
      if (message.type !== "result" || inits.length !== 1) continue;
      await running.setPermissionMode("acceptEdits");
      await running.setModel("another-model");
      await expect(running.mcpServerStatus()).resolves.toEqual([]);
      release();
    }
    expect(inits).toEqual([
      ["default", "scripted"],
      ["acceptEdits", "another-model"],
    ]);
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("two");
  });
});

function userMessage(text: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, session_id: "" };
}
