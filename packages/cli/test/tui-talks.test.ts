// Conversations with agents in `hap tui`: read, answer, and leave words for later.
import type { Conversation } from "@hap/protocol";
import { connectAgent } from "@hap/sdk";
import { describe, expect, test } from "vitest";
import { World } from "./hap.ts";
import { ENTER, ESC, SIZES, Tui } from "./tui.ts";

/** An agent that has joined, and what it asks. */
async function join(world: World) {
  const first = await connectAgent({ dbPath: world.dbPath });
  const { agent } = await first.join({ agent_runtime: "claude_code", project_dir: "/srv/shop" });
  await first.close();
  const client = await connectAgent({ dbPath: world.dbPath, agent });
  const cue = (prompt: string, ask: object = { type: "text", prompt }) =>
    client.cue({ to: "human:alex", kind: "cue", summary: prompt, ask: ask as never });
  return { agent, client, cue };
}

describe.for(SIZES)("at $columns x $rows", (size) => {
  test("[TUI-TALK-1] a timeline, live, with a box that answers what is asked in words, else leaves words for later", async () => {
    const world = new World();
    const { agent, client, cue } = await join(world);
    const tui = new Tui(world, size);
    await tui.until("Nothing waits");
    tui.type("m");
    expect(await tui.until(agent)).toMatch(/claude_code +\/srv\/shop/);
    tui.type(ENTER);
    await tui.until((screen) => screen.includes(agent) && screen.includes("a reply"));
    tui.type("a");
    await tui.until(`Words for the next question of ${agent}`);
    tui.type(`Run the tests, too${ENTER}`);
    await tui.until("Queued for its next question.");
    await tui.until(/queued, not told yet[\s\S]*Run the tests, too/);
    await cue("Shall I go on?");
    await tui.until(/│ Shall I go on\?[\s\S]*Answer in words/);
    tui.type("a");
    await tui.until(`── Answer ${agent}`);
    tui.type(`Yes${ENTER}`);
    await tui.until("Answered.");
    await cue("Which one?", { type: "choice", prompt: "Which one?", options: ["Red", "Blue"] });
    await tui.until("2. Blue");
    tui.type("a");
    await tui.until("asks: choice");
    tui.type("G");
    await tui.until("all read");
    tui.type(`a2${ENTER}`);
    await tui.until("Answered (assurance local): Which one?");
    tui.type(ESC);
    await tui.until(/> agent:/);
    const conversation = await world.json<Conversation>(["chat", "open", agent]);
    expect(conversation.tickets.map(({ resolution }) => resolution?.answer)).toEqual([
      { type: "text", text: "Yes" },
      { type: "choice", choices: ["2"] },
    ]);
    expect(conversation.messages).toMatchObject([{ text: "Run the tests, too" }]);
    await client.close();
  });
});
