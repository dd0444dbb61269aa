// An ACP editor, the adapter that editors use for Claude, the Claude Agent SDK, and yume-cli: on a model that is not Claude.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { methods, type PromptResponse } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { said, textPrompt, withEditor } from "./support/editor.ts";
import { hangs, makePlace, type Place, says, uses, yumeCli } from "./support/place.ts";
import type { ScriptedAnswer } from "./wire/server.ts";

const require = createRequire(import.meta.url);
const manifest = require.resolve("@agentclientprotocol/claude-agent-acp/package.json");
const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> };
const adapterIn = (place: Place) => ({
  args: [join(dirname(manifest), bin["claude-agent-acp"] as string)],
  env: { ...place.env, CLAUDE_CODE_EXECUTABLE: yumeCli },
  cwd: place.work,
});
const write = (place: Place, name: string): [string, Record<string, unknown>] => [
  "Write",
  { file_path: join(place.work, name), content: "by the adapter\n" },
];

it("[YUME-ACP-3] the ACP adapter for Claude, with yume-cli as its executable, answers, shows tools, asks the editor and is cancelled", async () => {
  const place = await makePlace();
  writeFileSync(join(place.work, "note.txt"), "the answer is 42\n");
  await withEditor(adapterIn(place), "allow_once", async (editor) => {
    const { agent, updates, asked } = editor;
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: place.work, mcpServers: [] });
    const ask = (text: string, ...answers: ScriptedAnswer[]) => {
      updates.length = 0;
      place.model.say(...answers);
      return agent.request(methods.agent.session.prompt, { sessionId, prompt: textPrompt(text) }) as Promise<PromptResponse>;
    };

    expect(await ask("2+2?", says("Four, of course."))).toMatchObject({ stopReason: "end_turn" });
    expect(said(updates)).toBe("Four, of course.");

    const thinking: ScriptedAnswer = {
      content: [
        { type: "thinking", thinking: "Hm, hm." },
        { type: "text", text: "Said once." },
      ],
    };
    await ask("Think", thinking);
    expect(said(updates)).toBe("Said once.");
    const thoughts = updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_thought_chunk");
    expect(thoughts.map((update) => (update as { content: { text: string } }).content.text).join("")).toBe("Hm, hm.");

    await ask("The note?", uses("I look.", ["Read", { file_path: join(place.work, "note.txt") }]), says(" It says 42."));
    expect(said(updates)).toBe("I look. It says 42.");
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: "tool_call", kind: "read" }));
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: "tool_call_update", status: "completed" }));
    expect(asked).toEqual([]);

    await ask("Write it", uses(write(place, "allowed.txt")), says("Written."));
    expect(asked).toEqual([expect.stringContaining("allowed.txt")]);
    expect(readFileSync(join(place.work, "allowed.txt"), "utf8")).toBe("by the adapter\n");

    editor.choice = "reject_once";
    await ask("And another", uses(write(place, "rejected.txt")), says("Then not."));
    expect(asked).toHaveLength(2);
    expect(existsSync(join(place.work, "rejected.txt"))).toBe(false);

    const running = ask("Count to a million", hangs("chat", "I begin with xyzzy"));
    while (!said(updates).includes("I begin")) await new Promise((resolve) => setTimeout(resolve, 10));
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await running).toMatchObject({ stopReason: "cancelled" });

    expect(await ask("Never mind", says("Back again."))).toMatchObject({ stopReason: "end_turn" });
    expect(said(updates)).toContain("Back again.");
  });
});
