// Conversations over MCP (D26): join, recall, cue and pause, with hosts of both revisions and the real `cueme` and `hap` beside them.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { connectHost, type Host, type Result, type Revision } from "./hosts.ts";
import { McpWorld, until } from "./world.ts";

const bin = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const revisions: Revision[] = ["2025-11-25", "2026-07-28"];
const textOf = (result: Result) => result.content.map(({ text }) => text ?? "").join("\n");
const errorOf = (result: Result) => result._meta?.["hap/error"];
const choice = { type: "choice", options: ["Printer", "Stop"] };

const join = async (host: Host, agent_runtime = "codex") =>
  (await host.call("cueme_join", { agent_runtime })).structuredContent?.agent_id as string;
const openQuestions = async (world: McpWorld) => (await (await world.person).inbox()).tickets;
/** A program as a person or another agent runs it. */
function run({ env, command }: McpWorld, program: string, ...args: string[]) {
  const { HAP_AGENT_ID: _, ...others } = env;
  return spawnSync(process.execPath, [bin(program), ...args], { env: others, cwd: command.cwd, encoding: "utf8" });
}

describe.each(revisions)("a host of revision %s", (revision) => {
  test("[MCP-CUEME-1] joins, asks, and hears the person's words; `hap chat` lists it like an agent of `cueme`", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const joined = await host.call("cueme_join", { agent_runtime: "Claude-Code" });
    expect(joined.structuredContent).toMatchObject({ agent_runtime: "claude_code", agent_terminal: "mcp" });
    const agent_id = joined.structuredContent?.agent_id as string;
    expect(textOf(joined)).toContain(`agent_id=${agent_id}`);
    const other = /agent_id=(\S+)/.exec(run(world, "doors/cueme/bin/cueme.mjs", "join", "codex").stdout)?.[1] ?? "none";
    const chat = run(world, "cli/bin/hap.mjs", "chat").stdout;
    expect(chat).toContain(agent_id);
    expect(chat).toContain(other);

    const cue = host.call("cueme_cue", { agent_id, prompt: "The parser is done. Which part next?", payload: choice });
    await until(async () => (await openQuestions(world)).length === 1);
    const person = await world.person;
    expect(await person.agents()).toContainEqual(
      expect.objectContaining({ agent: `agent:${agent_id}`, listening: (await openQuestions(world))[0]?.id }),
    );
    expect(run(world, "cli/bin/hap.mjs", "chat", "answer", agent_id, "Printer").status).toBe(0);
    const answered = await cue;
    expect(answered.structuredContent).toMatchObject({
      status: "answered",
      agent_id,
      answer: { type: "choice", choices: ["Printer"] },
      by: "human:alex",
    });
    expect(textOf(answered)).toMatch(/^Printer\n/);
    const [ticket] = (await person.list({ state: "ANSWERED" })).tickets;
    expect(ticket?.heard_at).not.toBeNull();
  });

  test("[MCP-CUEME-2] a call ends before the host's limit and says how to attach again; that finds the same question", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const agent_id = await join(host);
    const told: string[] = [];
    const first = await host.call("cueme_cue", { agent_id, prompt: "Which part next?", wait_seconds: 0.2 }, ({ message }) =>
      told.push(message ?? ""),
    );
    const ticket_id = first.structuredContent?.ticket_id as string;
    expect(first.structuredContent).toMatchObject({ status: "open", text: null });
    expect(textOf(first)).toContain(`Call cueme_cue again with {"agent_id":"${agent_id}","ticket_id":"${ticket_id}"}`);
    expect(told[0]).toBe("Waiting for your person's words");
    // The same words find it as well, and nothing is asked twice.
    const again = await host.call("cueme_cue", { agent_id, prompt: "Which part next?", wait_seconds: 0 });
    expect(again.structuredContent).toMatchObject({ status: "open", ticket_id });
    expect(await openQuestions(world)).toHaveLength(1);
    // Answered while no call waits: told to the next one, and by its id as often as it is asked for.
    await (await world.person).answer(ticket_id, "The printer");
    for (let times = 0; times < 2; times++)
      expect((await host.call("cueme_cue", { agent_id, ticket_id })).structuredContent).toMatchObject({
        status: "answered",
        ticket_id,
        text: "The printer",
      });
    const longer = await host.call("cueme_cue", { agent_id, prompt: "x", wait_seconds: 55 });
    expect(textOf(longer)).toContain("wait_seconds: must be at most 50");
  });

  test("[MCP-CUEME-2] the question in other words takes over the one that nothing waits for, with its late answer", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const agent_id = await join(host);
    const ask = (prompt: string, wait_seconds?: number) =>
      host.call("cueme_cue", { agent_id, prompt, ...(wait_seconds === undefined ? {} : { wait_seconds }) });
    await ask("Which part is next?", 0);
    await ask("Which part should come next?", 0);
    const open = await openQuestions(world);
    expect(open.map(({ intent }) => intent.summary)).toEqual(["Which part should come next?"]);
    await (await world.person).answer(open[0]?.id ?? "", "The printer");
    const other = await ask("Shall I go on?");
    expect(other.structuredContent).toMatchObject({ status: "queued", earlier: [{ text: "The printer" }] });
    expect(textOf(other)).toContain('To your earlier question "Which part should come next?":\nThe printer');
  });

  test("[MCP-CUEME-3] an answer is not heard when the host gave up on the call", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const agent_id = await join(host);
    const leaving = await connectHost(revision, world);
    const lost = leaving.call("cueme_cue", { agent_id, prompt: "Still there?" });
    lost.catch(() => {});
    await until(async () => (await openQuestions(world)).length === 1);
    const [ticket] = await openQuestions(world);
    await leaving.close();
    await expect(lost).rejects.toThrow();
    await (await world.person).answer(ticket?.id ?? "", "I am");
    expect((await (await world.person).getTicket(ticket?.id ?? "")).heard_at).toBeNull();
    const found = await host.call("cueme_cue", { agent_id, prompt: "Still there?" });
    expect(found.structuredContent).toMatchObject({ status: "answered", ticket_id: ticket?.id, text: "I am" });
  });

  test("[MCP-CUEME-1] pause waits, and queued words with an image take the place of an answer", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const agent_id = await join(host);
    const person = await world.person;
    const paused = host.call("cueme_pause", { agent_id });
    await until(async () => (await openQuestions(world)).length === 1);
    await person.answer((await openQuestions(world))[0]?.id ?? "", "Go on");
    expect((await paused).structuredContent).toMatchObject({ status: "answered", text: "Go on" });
    const png = readFileSync(bin("web/public/icon-192.png"));
    await person.queue(`agent:${agent_id}`, {
      text: "As in the picture",
      attachments: [{ name: "shot.png", media_type: "image/png", data: png }],
    });
    const cued = await host.call("cueme_cue", { agent_id, prompt: "What now?" });
    expect(cued.structuredContent).toMatchObject({ status: "queued", messages: [{ text: "As in the picture" }] });
    expect(textOf(cued)).toMatch(/^As in the picture\nAttachment: \/.*shot\.png \(image\/png/);
    expect(cued.content[1]).toEqual({ type: "image", mimeType: "image/png", data: png.toString("base64") });
    expect((await person.conversation(`agent:${agent_id}`)).agent.queued).toBe(0);
  });

  test("[MCP-CUEME-1] recall finds the id again by words of the question, also for an agent of `cueme`", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const agent_id = await join(host, "kiro");
    await host.call("cueme_cue", { agent_id, prompt: "The zeppelin parser is done", wait_seconds: 0 });
    const found = (await host.call("cueme_recall", { hints: "zeppelin" })).structuredContent as { agents: unknown[] };
    expect(found.agents[0]).toMatchObject({ agent_id, agent_runtime: "kiro" });
    expect(run(world, "doors/cueme/bin/cueme.mjs", "recall", "zeppelin").stdout).toContain(`agent_id=${agent_id}`);
    const none = await host.call("cueme_recall", { hints: "submarine" });
    expect(none.structuredContent).toEqual({ agents: [] });
    expect(textOf(none)).toContain("cueme_join");
  });

  test("[MCP-CUEME-4] says what is wrong with a call, by field, and asks nothing", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const agent_id = await join(host);
    await host.tools();
    const prompt = "Which?";
    const cases: [string, Record<string, unknown>, string][] = [
      ["cueme_join", {}, "agent_runtime"],
      ["cueme_join", { agent_runtime: "été" }, "agent_runtime"],
      ["cueme_recall", { hints: "  " }, "hints is empty"],
      ["cueme_cue", { prompt }, "agent_id"],
      ["cueme_cue", { agent_id }, "prompt is empty"],
      ["cueme_cue", { agent_id, prompt: " \n" }, "prompt is empty"],
      ["cueme_cue", { agent_id: "nobody", prompt }, "No agent called nobody has joined"],
      ["cueme_cue", { agent_id: "../x", prompt }, "agent_id"],
      ["cueme_cue", { agent_id, prompt, payload: { type: "menu" } }, "The payload's type must be choice, confirm or form"],
      ["cueme_cue", { agent_id, prompt, payload: { type: "choice" } }, 'A choice looks like this: {"type":"choice"'],
      ["cueme_cue", { agent_id, prompt, payload: "{" }, "payload"],
      ["cueme_cue", { agent_id, prompt, payload: "[]" }, "payload must be a JSON object"],
      ["cueme_cue", { agent_id, prompt, to: "Alex!" }, "to"],
      ["cueme_cue", { agent_id, ticket_id: "tk_aaaaaaaaaaaaaaaaaaaaaaaaaa" }, "There is no ticket"],
      ["cueme_pause", { agent_id: "nobody" }, "No agent called nobody has joined"],
    ];
    for (const [tool, input, words] of cases) {
      const refused = await host.call(tool, input);
      expect(refused.isError, JSON.stringify(input)).toBe(true);
      expect(textOf(refused), JSON.stringify(input)).toContain(words);
      expect(errorOf(refused)).toMatchObject({ code: expect.any(String) });
    }
    expect(await openQuestions(world)).toEqual([]);
    // Models also write the payload as text.
    const asked = await host.call("cueme_cue", { agent_id, prompt, payload: JSON.stringify(choice), wait_seconds: 0 });
    expect(asked.structuredContent).toMatchObject({ status: "open" });
    expect((await openQuestions(world))[0]?.ask).toMatchObject({ type: "choice", allow_other: true });
  });
});

test("[MCP-CUEME-2] a question of MCP is attached to by `cueme`, and the other way round", async () => {
  const world = new McpWorld();
  const host = await connectHost("2026-07-28", world);
  const agent_id = await join(host);
  const first = await host.call("cueme_cue", { agent_id, prompt: "Which part next?", wait_seconds: 0 });
  const cueme = spawn(process.execPath, [bin("doors/cueme/bin/cueme.mjs"), "cue", agent_id, "-"], {
    env: world.env,
    cwd: world.command.cwd,
  });
  let out = "";
  cueme.stdout.on("data", (chunk: Buffer) => (out += chunk));
  const ended = new Promise((resolve) => cueme.once("close", resolve));
  cueme.stdin.end("<cueme_prompt>\nWhich part next?\n</cueme_prompt>\n");
  const person = await world.person;
  await until(async () => (await person.agents())[0]?.listening === first.structuredContent?.ticket_id);
  expect(await openQuestions(world)).toHaveLength(1);
  await person.answer(first.structuredContent?.ticket_id as string, "The printer");
  expect([await ended, out]).toEqual([0, "The printer\n"]);
});
