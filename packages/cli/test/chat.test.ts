// `hap chat` as a black box (D26): agents as conversations, words left for later, files, and groups.
import type { AgentCard, Conversation, Ticket } from "@hap/protocol";
import { connectAgent } from "@hap/sdk";
import { describe, expect, it } from "vitest";
import { World } from "./hap.ts";

const world = new World();

/** An agent that joined, and asked when it has something to ask. */
async function joined(
  agent_runtime: string,
  project_dir: string,
  prompt?: string,
): Promise<{ name: string; ticket: Ticket | null }> {
  const client = await connectAgent({ dbPath: world.dbPath });
  const { agent } = await client.join({ agent_runtime, project_dir });
  await client.close();
  if (prompt === undefined) return { name: agent.slice(6), ticket: null };
  const asking = await connectAgent({ dbPath: world.dbPath, agent });
  const ticket = await asking.cue({ to: "human:alex", kind: "cue", summary: prompt, ask: { type: "text", prompt } });
  await asking.close();
  return { name: agent.slice(6), ticket };
}

const agents = async (...args: string[]) => (await world.json<{ agents: AgentCard[] }>(["chat", "list", ...args])).agents;

describe("hap chat", () => {
  it("[CHAT-CLI-1] lists agents, and narrows them by folder and runtime", async () => {
    expect(await world.ok(["chat"])).toContain("cueme join");
    const { name } = await joined("claude_code", "/srv/one", "Go on?");
    await joined("codex", "/srv/two");
    const table = await world.ok(["chat"]);
    expect(table).toMatch(new RegExp(`\\| ${name} +\\| claude_code \\| /srv/one +\\| +\\| 1, listening +\\| 0`));
    expect(await agents("--runtime", "codex")).toMatchObject([{ project_dir: "/srv/two", waiting: 0 }]);
    expect(await agents("--project", "/srv/one")).toMatchObject([{ agent: `agent:${name}`, waiting: 1 }]);
    expect(await agents("--project", "/srv/none")).toEqual([]);
  });

  it("[CHAT-CLI-1] opens a conversation, which delivers, and answers its question", async () => {
    const { name, ticket } = await joined("kiro", "/srv/three", "First line\u202e\nsecond line");
    const opened = await world.ok(["chat", "open", name.slice(0, 6)]);
    expect(opened).toContain("│ First line<U+202E>");
    expect(opened).toContain("waits for an answer");
    expect((await world.json(["show", ticket?.id as string])).state).toBe("DELIVERED");
    expect(await world.ok(["chat", "answer", name, "go", "on"])).toContain("Answer: go on");
    const conversation = await world.json<Conversation>(["chat", "open", name]);
    expect(conversation.tickets).toMatchObject([{ state: "ANSWERED", resolution: { answer: { text: "go on" } } }]);
    const nothing = await world.run(["chat", "answer", name, "more"]);
    expect(nothing).toMatchObject({ code: 4, err: expect.stringContaining("hap chat queue") });
  });

  it("[CHAT-CLI-1] queues words and files, and erases them", async () => {
    const { name } = await joined("cursor", "/srv/four");
    const file = world.file("shot.png", Buffer.from([1, 2, 3]));
    const queued = await world.json<{ id: string }>(["chat", "queue", name, "look", "at", "this", "--attach", file]);
    expect(queued).toMatchObject({ text: "look at this", attachments: [{ name: "shot.png", media_type: "image/png", size: 3 }] });
    expect(await world.ok(["chat", "open", name])).toMatch(
      /human:alex {2}queued, not told yet[^\n]*\nlook at this\n\[shot.png, image\/png, 3 bytes\]/,
    );
    expect(await world.ok(["chat", "erase", queued.id, "--reason", "secret"])).toContain("Erased 3 texts");
    expect(await world.ok(["chat", "open", name])).not.toContain("look at this");
    expect(await world.run(["chat", "queue", name])).toMatchObject({ code: 2, err: expect.stringContaining("nothing to queue") });
    expect(await world.run(["chat", "queue", name, "--attach", "/no/such/file"])).toMatchObject({ code: 2 });
    expect(await world.run(["chat", "queue", "nobodyhere", "x"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("hap chat list --all"),
    });
    expect(await world.ok(["verify"])).toContain("OK");
  });

  it("[CHAT-CLI-1] takes the files of an answer back when the answer does not fit; a question has no line for its risk", async () => {
    const { name } = await joined("opencode", "/srv/files");
    const asking = await connectAgent({ dbPath: world.dbPath, agent: `agent:${name}` });
    const ask = {
      type: "choice" as const,
      prompt: "Which?",
      options: [
        { key: "a", label: "A" },
        { key: "b", label: "B" },
      ],
    };
    const { id } = await asking.cue({ to: "human:alex", kind: "cue", summary: "Which?", ask });
    const file = world.file("note.txt", Buffer.from("hello"));
    const refused = await world.run(["chat", "answer", name, "--attach", file, "--", "neither"]);
    expect(refused).toMatchObject({ code: 2 });
    expect(await asking.queued()).toEqual([]);
    expect(await world.ok(["show", id])).not.toMatch(/^Risk:/m);
    await world.ok(["chat", "answer", name, "--attach", file, "--", "b"]);
    expect(await asking.queued()).toMatchObject([{ attachments: [{ name: "note.txt", media_type: "text/plain" }] }]);
    await asking.close();
  });

  it("[CHAT-CLI-1] says the same to a group: an answer to who asks, a message to who does not", async () => {
    const asking = await joined("group_a", "/srv/five", "What now?");
    const quiet = await joined("group_a", "/srv/six");
    const { sent } = await world.json<{ sent: object[] }>(["chat", "broadcast", "--runtime", "group-a", "commit and stop"]);
    expect(sent).toHaveLength(2);
    expect(sent).toContainEqual({ agent: `agent:${asking.name}`, ticket_id: asking.ticket?.id, how: "answered" });
    expect(sent).toContainEqual({ agent: `agent:${quiet.name}`, ticket_id: null, how: "queued" });
    expect(await world.run(["chat", "broadcast", "words"])).toMatchObject({ code: 2, err: expect.stringContaining("--all") });
  });

  it("[CHAT-CLI-1] is a person's: an agent does not read or speak there", async () => {
    for (const args of [
      ["list"],
      ["open", "x"],
      ["answer", "x", "y"],
      ["queue", "x", "y"],
      ["broadcast", "--all", "y"],
      ["erase", "x"],
    ])
      expect((await world.run(["chat", ...args], { env: { HAP_AGENT_ID: "agent:sly" } })).code).toBe(3);
  });
});
