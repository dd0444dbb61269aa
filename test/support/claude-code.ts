// The real Claude Code, as the npm package of its SDK carries it, with a model of ours and nothing else to reach.
import { type ChildProcess, spawn } from "node:child_process";
import type { World } from "../../packages/doors/hook/test/world.ts";
import { realClaude } from "../../packages/yume/test/support/real-claude.ts";
import type { ScriptedModel } from "../../packages/yume/test/wire/server.ts";
import { plainly, type Start } from "./scripted-host.ts";

/** A question that the host puts to its own dialog, and the answer to it. */
type Dialog = (asked: { subtype: string; tool_name?: string }) => object;

/** Start it for one prompt, as the SDK does: messages come and go as JSON lines, dialogs too. */
export function startClaude(world: World, model: ScriptedModel, dialog: Dialog, start: Start = plainly): ChildProcess {
  const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--permission-prompt-tool", "stdio"];
  const [program, args] = start([realClaude(), "--print", "--verbose", ...streams]);
  const child = spawn(program, args, {
    cwd: world.project,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      HOME: world.home,
      PATH: process.env.PATH,
      ...model.env("anthropic"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    },
  });
  child.stdin.on("error", () => {});
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ type: "user", message: { role: "user", content: "Go" }, session_id: "", parent_tool_use_id: null });
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((text) => text !== "")) {
      const message = JSON.parse(line);
      if (message.type === "result") child.stdin.end();
      if (message.type === "control_request") {
        const response = { subtype: "success", request_id: message.request_id, response: dialog(message.request) };
        send({ type: "control_response", response });
      }
    }
  });
  return child;
}

/** What the model reads after its newest call: everything behind its own last message. */
export function claudeHeard(body: Record<string, unknown>): unknown {
  const messages = body.messages as { role: string }[];
  return messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
}
