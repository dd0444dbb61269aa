// What a peer on standard input gets for lines that are not messages: an answer each, and a connection that goes on.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { later, McpWorld } from "./world.ts";

type Reply = { id: unknown; result?: unknown; error?: { code: number; message: string } };

/** Start `hap mcp` and send lines as they are; each call takes the next line that it answers with. */
function start() {
  const { command, args, env, cwd } = new McpWorld().command;
  const child = spawn(command, args, { env, cwd, stdio: ["pipe", "pipe", "inherit"] });
  later(() => child.kill());
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    send: (text: string) => child.stdin.write(text),
    reply: async () => JSON.parse((await replies.next()).value ?? "null") as Reply,
  };
}

const ping = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`;
const hello = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

test.each([
  ["words", "hello\n", -32700, null],
  ["half a message", '{"jsonrpc":"2.0","id":4,\n', -32700, null],
  ["bytes that are no text", "\u0000\u0001\n", -32700, null],
  ["an object that is no message", '{"id":5,"foo":1}\n', -32600, 5],
  ["another version", '{"jsonrpc":"1.0","id":"a","method":"ping"}\n', -32600, "a"],
  ["params that are no object", '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":3}\n', -32600, 6],
  ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32600, null],
  ["a number", "3\n", -32600, null],
  ["a line above the limit", `"${"x".repeat(10 * 1024 * 1024)}"\n`, -32600, null],
])("[MCP-PARSE-1] %s is answered, before and after the hello, and the connection goes on", async (_name, line, code, id) => {
  const { send, reply } = start();
  send(line);
  expect(await reply()).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
  send(`\n${JSON.stringify(hello)}\n`);
  expect(await reply()).toMatchObject({ id: 1, result: { protocolVersion: "2025-11-25" } });
  // In two pieces: a line ends at its newline, not at the end of a read.
  send(line.slice(0, 3));
  send(`${line.slice(3)}${ping(7)}`);
  expect(await reply()).toMatchObject({ id, error: { code } });
  expect(await reply()).toMatchObject({ id: 7, result: {} });
});
