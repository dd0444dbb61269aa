// MCP servers over the network on real servers of the official SDK: tools, keys, refusals, and servers that are gone or go.
import { afterEach, describe, expect, it } from "vitest";
import { type McpHttpServer, startMcpHttpServer } from "./support/mcp-http-server.ts";
import { makePlace, runYume, says, uses } from "./support/place.ts";

const KEY = "far-key-0123456789";
const flat = ["--provider", "openai", "--prompt", "Go", "--allowedTools", "mcp__far"];
const results = (frames: readonly Record<string, unknown>[]) => frames.filter(({ type }) => type === "tool_result");

let server: McpHttpServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

describe.each([
  ["http", "/mcp"],
  ["sse", "/sse"],
])("MCP over %s", (type, path) => {
  const config = (url: string, key = KEY) => [
    "--mcp-config",
    JSON.stringify({ mcpServers: { far: { type, url: url + path, headers: { Authorization: `Bearer ${key}` } } } }),
  ];

  it("[YUME-MCP-2] brings tools with the key that the configuration takes from the environment", async () => {
    server = await startMcpHttpServer(KEY);
    const place = await makePlace([uses(["mcp__far__say", { words: "hi" }], ["mcp__far__fail", {}]), says("Done.")]);
    const { frames, code } = await runYume(place, [...flat, ...config(server.url, `\${FAR_KEY}`)], "", { env: { FAR_KEY: KEY } });
    expect(frames[0]).toMatchObject({
      mcp_servers: [{ name: "far", status: "connected" }],
      tools: expect.arrayContaining(["mcp__far__say", "mcp__far__fail", "mcp__far__die"]),
    });
    expect(results(frames)).toMatchObject([
      { is_error: false, content: "you said hi" },
      { is_error: true, content: "not today" },
    ]);
    expect(server.refused()).toBe(0);
    expect(code).toBe(0);
  });

  it("[YUME-MCP-2] leaves out a server that refuses the key, without telling it", async () => {
    server = await startMcpHttpServer(KEY);
    const place = await makePlace([says("Without it.")]);
    const { frames, stderr, code } = await runYume(place, [...flat, ...config(server.url, "wrong-key-9876")]);
    expect(frames[0]).toMatchObject({ mcp_servers: [{ name: "far", status: "failed" }] });
    expect(frames[0]?.tools).not.toContain("mcp__far__say");
    expect(stderr).toContain("the MCP server far could not be used");
    expect(stderr).not.toContain("wrong-key-9876");
    expect(server.refused()).toBeGreaterThan(0);
    expect(code).toBe(0);
  });

  it("[YUME-MCP-2] leaves out a server that is not there", async () => {
    const gone = await startMcpHttpServer(KEY);
    await gone.close();
    const place = await makePlace([says("Without it.")]);
    const { frames, stderr, code } = await runYume(place, [...flat, ...config(gone.url)]);
    expect(frames[0]).toMatchObject({ mcp_servers: [{ name: "far", status: "failed" }] });
    expect(stderr).toContain("the MCP server far could not be used");
    expect(code).toBe(0);
  });

  it("[YUME-MCP-3] answers a call whose server dies under it with an error, and goes on", async () => {
    server = await startMcpHttpServer(KEY);
    const place = await makePlace([uses(["mcp__far__die", {}]), uses(["mcp__far__say", { words: "again" }]), says("It died.")]);
    const { frames, code } = await runYume(place, [...flat, ...config(server.url)]);
    const lost = { is_error: true, content: expect.stringMatching(/^The MCP server far gave no answer: \w/) };
    expect(results(frames)).toMatchObject([lost, lost]);
    expect(frames.at(-2)).toMatchObject({ subtype: "success", result: "It died." });
    expect(code).toBe(0);
  });
});
