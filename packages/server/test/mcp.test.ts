// MCP over the server: an SDK client of each protocol revision, with an agent's key; nobody else comes in.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Front, openFront } from "./front.ts";

let front: Front;
beforeEach(async () => {
  front = await openFront({ real: true });
});
afterEach(() => front.close());

const withKey = () => ({
  requestInit: { headers: { authorization: `Bearer ${front.engine.createKey({ agent: "agent:mcp" }, "human:alex").key}` } },
});
const ticket = { name: "hap_create_ticket", arguments: { to: "human:alex", kind: "deploy", summary: "Ship it" } };

describe("/mcp", () => {
  it("[MCP-SERVE-1] opens tickets as the key's agent for a client of the revision before", async () => {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${front.url}/mcp`), withKey()) as never);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("hap_create_ticket");
    await client.callTool(ticket);
    expect(front.engine.listPending()).toMatchObject([{ from: "agent:mcp", to: "human:alex" }]);
    await client.close();
  });

  it("[MCP-SERVE-1] opens tickets as the key's agent for a client of the current revision", async () => {
    const client = new ModernClient({ name: "test", version: "1.0.0" });
    await client.connect(new ModernTransport(new URL(`${front.url}/mcp`), withKey()));
    await client.callTool(ticket);
    expect(front.engine.listPending()).toMatchObject([{ from: "agent:mcp" }]);
    await client.close();
  });

  it("[MCP-CUEME-6] agents that joined belong to the key that brought them in, and are in the person's list", async () => {
    const connect = async (agent: string) => {
      const { key } = front.engine.createKey({ agent }, "human:alex");
      const client = new ModernClient({ name: "test", version: "1.0.0" });
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(new ModernTransport(new URL(`${front.url}/mcp`), { requestInit }));
      return (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
    };
    const own = await connect("agent:one");
    const other = await connect("agent:two");
    const joined = await own("cueme_join", { agent_runtime: "codex", project_dir: "/srv/app" });
    const { agent_id } = joined.structuredContent as { agent_id: string };
    expect(front.engine.listAgents()).toMatchObject([{ agent: `agent:${agent_id}`, project_dir: "/srv/app" }]);
    expect(front.engine.agentOwner(`agent:${agent_id}`)).toBe("agent:one");
    const question = { agent_id, prompt: "Which zeppelin?", wait_seconds: 0 };
    expect((await own("cueme_cue", question)).structuredContent).toMatchObject({ status: "open" });
    expect((await own("cueme_recall", { hints: "zeppelin" })).structuredContent).toMatchObject({ agents: [{ agent_id }] });
    const refused = await other("cueme_cue", question);
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining("did not join through it"),
    ]);
    expect((await other("cueme_recall", { hints: "zeppelin" })).structuredContent).toEqual({ agents: [] });
    expect(front.engine.listPending()).toHaveLength(1);
  });

  it("[MCP-SERVE-1] is for agents with a key, from programs and not from other pages", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    expect((await front.anyone("POST", "/mcp", call)).status).toBe(401);
    expect((await front.person()("POST", "/mcp", call)).status).toBe(401);
    expect((await front.agent()("POST", "/mcp", call, { origin: "https://evil.example" })).status).toBe(403);
  });
});
