// Conversations over MCP's HTTP (D26): a cue as a task, files in the result, and clients of both revisions that break off.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, test } from "vitest";
import { call, request } from "./raw-http.ts";
import { McpWorld, until } from "./world.ts";

const world = new McpWorld();
let url: string;
beforeAll(async () => {
  url = await world.http();
});

const tasks = { capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } };
type Structured = { agent_id: string; ticket_id: string; status: string };
const structured = (reply: { result?: Record<string, unknown> }) => reply.result?.structuredContent as Structured;
const join = async () => structured(await call(url, "cueme_join", { agent_runtime: "codex" })).agent_id;
const openOf = async (agent: string) =>
  (await (await world.person).inbox()).tickets.filter(({ from }) => from === `agent:${agent}`);

describe("a cue as a task", () => {
  test("[MCP-CUEME-5] is listened to while it is polled, and its result is the answer with the words that were queued", async () => {
    const agent_id = await join();
    const payload = { type: "choice", options: ["Printer", "Stop"] };
    const asked = await call(url, "cueme_cue", { agent_id, prompt: "Which part next?", payload }, tasks);
    expect(asked.result).toMatchObject({ resultType: "task", status: "working" });
    const taskId = asked.result?.taskId as string;
    const person = await world.person;
    const [ticket] = await openOf(agent_id);
    expect(taskId).toBe(`${agent_id}/${ticket?.id}`);
    expect((await person.conversation(`agent:${agent_id}`)).agent.listening).toBe(ticket?.id);
    expect((await request(url, "tasks/get", { taskId }, tasks)).result).toMatchObject({ status: "working", taskId });
    // The same question again is the same task.
    const again = await call(url, "cueme_cue", { agent_id, prompt: "Which part next?", payload }, tasks);
    expect(again.result).toMatchObject({ taskId });
    await person.queue(`agent:${agent_id}`, { text: "Then run the tests" });
    await person.answer(ticket?.id ?? "", "Printer");
    const done = await request(url, "tasks/get", { taskId }, tasks);
    expect(done.result).toMatchObject({
      status: "completed",
      result: { structuredContent: { status: "answered", text: "Printer", messages: [{ text: "Then run the tests" }] } },
    });
    expect((await person.getTicket(ticket?.id ?? "")).heard_at).not.toBeNull();
    // Asked for once more, the answer is told once more.
    expect((await request(url, "tasks/get", { taskId }, tasks)).result).toMatchObject({
      result: { structuredContent: { status: "answered", text: "Printer", messages: [] } },
    });
  });

  test("[MCP-CUEME-5] is withdrawn when its client cancels it; an id of nobody is refused", async () => {
    const agent_id = await join();
    const asked = await call(url, "cueme_pause", { agent_id }, tasks);
    const taskId = asked.result?.taskId as string;
    await request(url, "tasks/cancel", { taskId }, tasks);
    expect((await request(url, "tasks/get", { taskId }, tasks)).result).toMatchObject({ status: "cancelled" });
    expect(await openOf(agent_id)).toEqual([]);
    const other = await join();
    for (const id of [taskId.replace(agent_id, other), taskId.replace(agent_id, "nobody"), `${taskId}/x`])
      expect((await request(url, "tasks/get", { taskId: id }, tasks)).error, id).toMatchObject({ code: -32602 });
  });

  test("[MCP-CUEME-5] words that wait answer at once, without a task", async () => {
    const agent_id = await join();
    await (await world.person).queue(`agent:${agent_id}`, { text: "Stop here" });
    const cued = await call(url, "cueme_cue", { agent_id, prompt: "What now?" }, tasks);
    expect(structured(cued)).toMatchObject({ status: "queued", messages: [{ text: "Stop here" }] });
  });
});

test("[MCP-CUEME-1] files of a person come in the result, since a remote agent cannot read our disk", async () => {
  const agent_id = await join();
  const data = new TextEncoder().encode("a,b\n1,2\n");
  const attachments = [{ name: "table.csv", media_type: "text/csv", data }];
  await (await world.person).queue(`agent:${agent_id}`, { text: "Use these", attachments });
  const { result } = await call(url, "cueme_cue", { agent_id, prompt: "Which numbers?" });
  const [text, file] = (result?.content ?? []) as unknown as [
    { text: string },
    { resource: { blob: string; mimeType: string; uri: string } },
  ];
  expect(text.text).toContain("Attachment: table.csv (text/csv, 8 bytes)");
  expect(file.resource).toMatchObject({ mimeType: "text/csv", uri: expect.stringMatching(/^hap:\/\/messages\/.*\/table\.csv$/) });
  expect(Buffer.from(file.resource.blob, "base64").toString()).toBe("a,b\n1,2\n");
  expect(result?.structuredContent).toMatchObject({ messages: [{ attachments: [{ path: null }] }] });
});

async function connect(revision: "2025-11-25" | "2026-07-28") {
  const info = { name: "http-host", version: "1" };
  if (revision === "2025-11-25") {
    const client = new OldClient(info);
    const transport = new OldTransport(new URL(url));
    await client.connect(transport as never);
    return {
      call: (name: string, input: object, signal?: AbortSignal) =>
        client.callTool({ name, arguments: { ...input } }, undefined, { ...(signal ? { signal } : {}) }),
      close: () => client.close(),
    };
  }
  const client = new Client(info, { versionNegotiation: { mode: { pin: revision } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    call: (name: string, input: object, signal?: AbortSignal) =>
      client.callTool({ name, arguments: { ...input } }, signal ? { signal } : {}),
    close: () => client.close(),
  };
}

describe.each(["2025-11-25", "2026-07-28"] as const)("a client of revision %s", (revision) => {
  test("[MCP-CUEME-3] that gives up or breaks off has not heard the answer; the same question has it", async () => {
    for (const way of ["cancel", "close"] as const) {
      const agent_id = await join();
      const client = await connect(revision);
      const stop = new AbortController();
      const question = { agent_id, prompt: "Still there?" };
      const lost = Promise.resolve(client.call("cueme_cue", question, stop.signal));
      lost.catch(() => {});
      await until(async () => (await openOf(agent_id)).length === 1);
      const [ticket] = await openOf(agent_id);
      if (way === "cancel") stop.abort();
      await client.close();
      await expect(lost).rejects.toThrow();
      const person = await world.person;
      // The server saw it too: nothing listens any more.
      await until(async () => (await person.conversation(`agent:${agent_id}`)).agent.listening === null);
      await person.answer(ticket?.id ?? "", "I am");
      expect((await person.getTicket(ticket?.id ?? "")).heard_at, way).toBeNull();
      const next = await connect(revision);
      expect((await next.call("cueme_cue", question)).structuredContent).toMatchObject({ status: "answered", text: "I am" });
      expect((await person.getTicket(ticket?.id ?? "")).heard_at, way).not.toBeNull();
      await next.close();
    }
  });
});
