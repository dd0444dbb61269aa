// A real MCP server on a port of the loopback, made with the official SDK: streamable HTTP at /mcp, the older SSE at /sse. It wants
// a key, and can die in the middle of a call.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";

export type McpHttpServer = {
  url: string;
  /** How many requests came without the key. */
  refused: () => number;
  close: () => Promise<void>;
};

/** Start it; only requests with `Authorization: Bearer <key>` are answered. */
export async function startMcpHttpServer(key: string): Promise<McpHttpServer> {
  const sockets = new Set<Socket>();
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const streams = new Map<string, SSEServerTransport>();
  let refused = 0;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  const makeMcp = () => {
    const mcp = new McpServer({ name: "far", version: "1.0.0" });
    const words = { words: z.string() };
    mcp.registerTool("say", { description: "Says it back", inputSchema: words }, ({ words: said }) => ({
      content: [{ type: "text", text: `you said ${said}` }],
    }));
    mcp.registerTool("fail", { description: "Fails" }, () => ({ content: [{ type: "text", text: "not today" }], isError: true }));
    mcp.registerTool("die", { description: "Never answers: the whole server goes" }, async () => {
      await close();
      return { content: [] };
    });
    return mcp;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "", "http://localhost");
    if (request.headers.authorization !== `Bearer ${key}`) {
      refused++;
      response.writeHead(401, { "content-type": "application/json" }).end('{"error":"a key is needed"}');
    } else if (url.pathname === "/sse") {
      const transport = new SSEServerTransport("/messages", response);
      streams.set(transport.sessionId, transport);
      await makeMcp().connect(transport);
    } else if (url.pathname === "/messages") {
      const transport = streams.get(url.searchParams.get("sessionId") ?? "");
      if (transport === undefined) response.writeHead(404).end();
      else await transport.handlePostMessage(request, response);
    } else await answerStreamable(request, response);
  };

  const answerStreamable = async (request: IncomingMessage, response: ServerResponse) => {
    const known = streamable.get(String(request.headers["mcp-session-id"]));
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void streamable.set(id, transport),
    });
    await makeMcp().connect(transport);
    await transport.handleRequest(request, response);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refused: () => refused, close };
}
