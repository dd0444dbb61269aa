// Older generations of the Claude Agent SDK, which hosts still ship: the same executable serves them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as Current from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import * as zod4 from "zod";
import { z as zod3 } from "zod/v3";
import { hangs, makePlace, type Place, says, uses, yumeCli } from "./support/place.ts";

/** What the generations have in common, in the words of the current one. */
type Sdk = Pick<typeof Current, "query" | "createSdkMcpServer" | "tool">;
type Message = Current.SDKMessage;

const generations: [string, () => Promise<Sdk>, typeof zod4][] = [
  ["0.1", async () => (await import("claude-agent-sdk-0-1")) as unknown as Sdk, zod3 as unknown as typeof zod4],
  ["0.2", async () => (await import("claude-agent-sdk-0-2")) as unknown as Sdk, zod4],
];

const write = (content: string): [string, Record<string, unknown>] => ["Write", { file_path: "made.txt", content }];

describe.each(generations)("query() of generation %s", (_, load, zod) => {
  /** The host keeps its end open until the result: older generations close it when their prompts end. */
  const ask = async (
    place: Place,
    text: string,
    options: Current.Options = {},
    onMessage?: (message: Message, running: Current.Query) => unknown,
  ) => {
    const { query } = await load();
    const messages: Message[] = [];
    const { promise: answered, resolve: close } = Promise.withResolvers<void>();
    async function* prompts(): AsyncGenerator<Current.SDKUserMessage> {
      yield { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, session_id: "" };
      await answered;
    }
    const running = query({
      prompt: prompts(),
      options: { pathToClaudeCodeExecutable: yumeCli, cwd: place.work, env: place.env, ...options },
    });
    const listen = async () => {
      for await (const message of running) {
        messages.push(message);
        await onMessage?.(message, running);
        if (message.type === "result") close();
      }
    };
    // A process that ends with an error result throws after it.
    const error = await listen().then(
      () => null,
      (thrown: Error) => thrown,
    );
    const result = messages.findLast((message) => message.type === "result");
    if (result === undefined) throw error ?? new Error("there was no result");
    return { messages, result: result as Current.SDKResultMessage };
  };

  it("[YUME-SDK-12] completes text and tools", async () => {
    const place = await makePlace([uses("I look.", ["Read", { file_path: "note.txt" }]), says("It says 42.")]);
    writeFileSync(join(place.work, "note.txt"), "42\n");
    const { result } = await ask(place, "What?");
    expect(result).toMatchObject({ subtype: "success", result: "It says 42.", num_turns: 2 });
  });

  it("[YUME-SDK-12] allows and denies calls", async () => {
    const place = await makePlace([uses(write("yes")), says("Written."), uses(write("no")), says("Then not.")]);
    await ask(place, "Write", { canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }) });
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("yes");
    const { result } = await ask(place, "Write", { canUseTool: async () => ({ behavior: "deny", message: "Not on a Friday." }) });
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("yes");
    expect(result.permission_denials).toHaveLength(1);
    expect(place.asked()).toContain("Not on a Friday.");
  });

  it("[YUME-SDK-12] asks hooks and uses MCP servers of the host", async () => {
    const { createSdkMcpServer, tool } = await load();
    const place = await makePlace([uses(write("x"), ["mcp__sums__add", { a: 2, b: 40 }]), says("Done.")]);
    const add = tool("add", "Adds", { a: zod.number(), b: zod.number() }, async ({ a, b }) => ({
      content: [{ type: "text", text: `sum ${a + b}` }],
    }));
    await ask(place, "Go", {
      mcpServers: { sums: createSdkMcpServer({ name: "sums", tools: [add] }) },
      allowedTools: ["mcp__sums__add"],
      permissionMode: "acceptEdits",
      hooks: {
        PreToolUse: [
          {
            matcher: "Write",
            hooks: [
              async () => ({
                hookSpecificOutput: {
                  hookEventName: "PreToolUse",
                  permissionDecision: "deny",
                  permissionDecisionReason: "A hook says no.",
                },
              }),
            ],
          },
        ],
      },
    });
    expect(existsSync(join(place.work, "made.txt"))).toBe(false);
    expect(place.asked()).toContain("A hook says no.");
    expect(place.asked()).toContain("sum 42");
  });

  it("[YUME-SDK-12] interrupts, streams partial messages and resumes", async () => {
    const place = await makePlace([hangs("chat", "I begin with xyzzy"), says("Back again.")]);
    let interrupted = false;
    const first = await ask(place, "Count", { includePartialMessages: true }, async (message, running) => {
      if (interrupted || message.type !== "stream_event" || message.event.type !== "content_block_delta") return;
      interrupted = true;
      await running.interrupt();
    });
    expect(first.result).toMatchObject({ subtype: "error_during_execution", is_error: true });
    const { result } = await ask(place, "Go on", { resume: first.result.session_id });
    expect(result).toMatchObject({ subtype: "success", result: "Back again." });
    expect(place.asked()).toContain("Count");
  });
});
