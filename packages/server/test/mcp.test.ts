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

  it("[MCP-SERVE-1] is for agents with a key, from programs and not from other pages", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    expect((await front.anyone("POST", "/mcp", call)).status).toBe(401);
    expect((await front.person()("POST", "/mcp", call)).status).toBe(401);
    expect((await front.agent()("POST", "/mcp", call, { origin: "https://evil.example" })).status).toBe(403);
  });
});
