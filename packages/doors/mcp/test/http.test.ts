// The Web-standard handler: tickets as tasks, seals that cannot be forged or carried over, and agents apart from each other.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { beforeAll, describe, expect, test } from "vitest";
import { call, request } from "./raw-http.ts";
import { later, McpWorld, until } from "./world.ts";

const world = new McpWorld();
let url: string;
beforeAll(async () => {
  url = await world.http();
});

const command = { summary: "Clean the build folder", kind: "run_command", details: { command: "make clean" } };
const ticketOf = ({ result }: { result?: Record<string, unknown> | undefined }) =>
  (result as { structuredContent: { ticket_id: string } }).structuredContent.ticket_id;
const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const form = { elicitation: { form: {} } };

describe("tickets as tasks", () => {
  test("[MCP-TASKS-1] a ticket is a task whose result is how it ended", async () => {
    const person = await world.person;
    const { result: task } = await call(url, "hap_create_ticket", command, { capabilities: tasks });
    expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: null, pollIntervalMs: 2000 });
    const taskId = task?.taskId as string;
    const working = await request(url, "tasks/get", { taskId }, { capabilities: tasks });
    expect(working.result).toMatchObject({ resultType: "complete", taskId, status: "working" });
    await person.show(taskId);
    await person.reject(taskId, "Not on a Friday");
    const done = await request(url, "tasks/get", { taskId }, { capabilities: tasks });
    expect(done.result).toMatchObject({
      status: "completed",
      result: { structuredContent: { status: "rejected", comment: "Not on a Friday" } },
    });
  });

  test("[MCP-TASKS-1] a task that its client cancels is a ticket that its agent withdrew", async () => {
    const { result } = await call(url, "hap_ask", { question: "Which?" }, { capabilities: tasks });
    const taskId = result?.taskId as string;
    expect((await request(url, "tasks/update", { taskId, inputResponses: {} }, { capabilities: tasks })).result).toMatchObject({
      resultType: "complete",
    });
    await request(url, "tasks/cancel", { taskId }, { capabilities: tasks });
    expect((await request(url, "tasks/get", { taskId })).result).toMatchObject({ status: "cancelled" });
    expect((await (await world.person).getTicket(taskId)).state).toBe("CANCELED");
  });

  test("[MCP-TASKS-2] without the extension a ticket is told at once, and no task of another agent is found", async () => {
    const { result } = await call(url, "hap_create_ticket", command);
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "open" } });
    const taskId = ticketOf({ result });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const refused = await request(url, method, { taskId }, { key: "other" });
      expect(refused.error).toMatchObject({ code: -32602, data: { code: "ticket_not_found" } });
    }
  });
});

describe("a form's seal", () => {
  const question = { question: "Which region?", options: ["eu", "us"] };
  const answers = { inputResponses: { matter: { action: "accept", content: { answer: "1" } } } };

  test("[MCP-STATE-1] carries a question from one round to the next, in whichever order rounds arrive", async () => {
    const first = await call(url, "hap_ask", question, { capabilities: form });
    expect(first.result).toMatchObject({
      resultType: "input_required",
      inputRequests: { matter: { method: "elicitation/create" } },
    });
    const { requestState } = first.result as { requestState: string };
    const answered = await call(url, "hap_ask", question, { capabilities: form }, { ...answers, requestState });
    expect(answered.result).toMatchObject({
      structuredContent: { status: "answered", relayed: true, answer: { choices: ["1"] } },
    });
    const replayed = await call(url, "hap_ask", question, { capabilities: form }, { ...answers, requestState });
    expect(replayed.result).toMatchObject({
      structuredContent: { words: expect.stringContaining("answered elsewhere meanwhile") },
    });
  });

  test("[MCP-STATE-1] is refused when it was changed, and when another agent brings it", async () => {
    const { result } = await call(url, "hap_ask", question, { capabilities: form });
    const { requestState } = result as { requestState: string };
    const [version, body = "", mac] = requestState.split(".");
    const forged = JSON.parse(Buffer.from(body, "base64url").toString());
    forged.p.ticket_id = "tk_aaaaaaaaaaaaaaaaaaaaaaaaaa";
    const changed = [version, Buffer.from(JSON.stringify(forged)).toString("base64url"), mac].join(".");
    for (const [state, key] of [
      [changed, "ci"],
      [requestState, "other"],
      ["", "ci"],
    ] as const) {
      const refused = await call(url, "hap_ask", question, { capabilities: form, key }, { ...answers, requestState: state });
      expect(refused.error?.code, state).toBe(-32602);
    }
  });

  test("[DECIDE-MCP-1] an approval is never taken from a form, even with a seal that is ours", async () => {
    const opened = await call(url, "hap_create_ticket", command);
    const id = ticketOf(opened);
    const capabilities = { elicitation: { url: {}, form: {} } };
    const passed = await call(url, "hap_approve_ticket", { ticket_id: id }, { capabilities });
    expect(passed.result).toMatchObject({
      inputRequests: { matter: { params: { mode: "url", url: `https://hap.example/tickets/${id}` } } },
    });
    const { requestState } = passed.result as { requestState: string };
    for (const tool of ["hap_approve_ticket", "hap_ask"]) {
      const input = tool === "hap_ask" ? question : { ticket_id: id };
      const content = { matter: { action: "accept", content: { answer: "approve", confirmed: true } } };
      const after = await call(url, tool, input, { capabilities }, { requestState, inputResponses: content });
      expect(after.result).toMatchObject({ structuredContent: { ticket_id: id, status: "open" } });
    }
    expect((await (await world.person).getTicket(id)).state).toBe("PENDING");
  });
});

describe("a client of the SDK", () => {
  async function connect(mode: "legacy" | { pin: string }, key = "ci") {
    const client = new Client({ name: "http-host", version: "1" }, { versionNegotiation: { mode } });
    const headers = { authorization: `Bearer ${key}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    later(() => client.close());
    return client;
  }

  test.each(["legacy", { pin: "2026-07-28" }] as const)(
    "[MCP-HTTP-1] of either revision asks and hears the answer: %o",
    async (mode) => {
      const client = await connect(mode);
      const opened = await client.callTool({ name: "hap_create_ticket", arguments: command });
      const id = (opened.structuredContent as { ticket_id: string }).ticket_id;
      const waiting = client.callTool({ name: "hap_wait", arguments: { ticket_id: id } });
      await (await world.person).show(id);
      await (await world.person).approve(id, "Go");
      expect((await waiting).structuredContent).toMatchObject({ status: "approved", comment: "Go" });
      const resource = await client.readResource({ uri: `hap://tickets/${id}` });
      expect(JSON.parse((resource.contents[0] as { text: string }).text)).toMatchObject({ id, from: "agent:ci" });
    },
  );

  test("[MCP-ERRORS-1] of SDK 1.x and of SDK 2.x in both revisions reads why a call failed", async () => {
    const old = new OldClient({ name: "old-host", version: "1" });
    const requestInit = { headers: { authorization: "Bearer ci" } };
    await old.connect(new OldTransport(new URL(url), { requestInit }) as never);
    later(() => old.close());
    const clients = [old, await connect("legacy"), await connect({ pin: "2026-07-28" })];
    for (const client of clients) {
      // With the list at hand, a client checks each result against the tool's output schema.
      await client.listTools();
      const refused = await client.callTool({
        name: "hap_get_ticket",
        arguments: { ticket_id: "tk_aaaaaaaaaaaaaaaaaaaaaaaaaa" },
      });
      expect(refused).toMatchObject({ isError: true, _meta: { "hap/error": { code: "ticket_not_found" } } });
      expect(refused.structuredContent).toBeUndefined();
      const opened = await client.callTool({ name: "hap_create_ticket", arguments: command });
      expect(opened.structuredContent).toMatchObject({ status: "open" });
    }
  });

  test("[MCP-PARSE-1] gets -32700 for a body that is not JSON", async () => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await fetch(url, { method: "POST", headers, body: "{not json" });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  });

  test("[MCP-SESSION-1] of the revision before has a session: its forms are shown in mid-call, and changes are told", async () => {
    const asked: unknown[] = [];
    const connectOld = async (key: string) => {
      const client = new OldClient({ name: "old-host", version: "1" }, { capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params);
        return { action: "accept", content: { answer: "green" } };
      });
      const transport = new OldTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${key}` } } });
      await client.connect(transport as never);
      later(() => client.close());
      return { client, id: transport.sessionId as string };
    };
    const changed: Record<string, string[]> = { ci: [], other: [] };
    const sessions = { ci: await connectOld("ci"), other: await connectOld("other") };
    for (const [key, { client }] of Object.entries(sessions)) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void changed[key]?.push(params.uri));
      await client.subscribeResource({ uri: "hap://tickets/pending" });
    }
    const answered = await sessions.ci.client.callTool({ name: "hap_ask", arguments: { question: "Which colour?" } });
    expect(asked).toMatchObject([{ message: expect.stringContaining("Which colour?") }]);
    expect(answered.structuredContent).toMatchObject({ status: "answered", relayed: true });
    await until(async () => {
      await call(url, "hap_create_ticket", command);
      return (changed.ci?.length ?? 0) > 0;
    });
    expect(changed).toMatchObject({ ci: expect.arrayContaining(["hap://tickets/pending"]), other: [] });
    await sessions.ci.client.unsubscribeResource({ uri: "hap://tickets/pending" });
    await expect(sessions.ci.client.subscribeResource({ uri: "hap://nothing" })).rejects.toThrow("There is no resource");
  });

  test("[MCP-SESSION-1] a session is its agent's alone, ends when its client says so, and is then gone", async () => {
    const hello = {
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
    };
    const send = (method: string, key: string, session: string | null, body?: object) =>
      fetch(url, {
        method,
        headers: {
          ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...{ accept: "application/json, text/event-stream" },
          ...(session === null ? {} : { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const begun = await send("POST", "ci", null, hello);
    const id = begun.headers.get("mcp-session-id") as string;
    await begun.body?.cancel();
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    expect((await send("POST", "other", id, list)).status).toBe(404);
    expect((await send("POST", "ci", crypto.randomUUID(), list)).status).toBe(404);
    const listed = await send("POST", "ci", id, list);
    expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining("hap_ask")]);
    expect((await send("DELETE", "ci", id)).status).toBe(200);
    expect((await send("POST", "ci", id, list)).status).toBe(404);
  });

  test("[MCP-SUBSCRIBE-1] listens on a stream, and hears of its own agent's tickets only", async () => {
    const changed: Record<string, string[]> = { ci: [], other: [] };
    for (const key of ["ci", "other"]) {
      const client = await connect({ pin: "2026-07-28" }, key);
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => void changed[key]?.push(params.uri));
      await client.listen({ resourceSubscriptions: ["hap://tickets/pending"] });
    }
    await until(async () => {
      await call(url, "hap_create_ticket", command);
      return (changed.ci?.length ?? 0) > 0;
    });
    expect(changed.ci?.[0]).toBe("hap://tickets/pending");
    expect(changed.other).toEqual([]);
  });
});
