// What goes over the line from a process, and what comes of a line that breaks.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { NodeTransport } from "../src/remote/node-transport.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function reach(answer: (request: IncomingMessage, response: ServerResponse) => void, folder = ""): Promise<NodeTransport> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${folder}`;
  const transport = new NodeTransport({ url, token: "secret" });
  closing.push(() => {
    transport.close();
    server.close();
  });
  return transport;
}

it("sends under the folder of its address, and reads an answer of many pieces whole", async () => {
  const transport = await reach((request, response) => {
    response.write(`${request.method} `);
    response.write(`${request.url} `);
    setImmediate(() => response.end(`${request.headers.authorization}`));
  }, "/behind/proxy/");
  const { status, body } = await transport.send({ method: "GET", path: "/v1/tickets?limit=1" });
  expect([status, new TextDecoder().decode(body)]).toEqual([200, "GET /behind/proxy/v1/tickets?limit=1 Bearer secret"]);
});

it("takes an answer that breaks off for none, and an empty one for what it is", async () => {
  const transport = await reach((request, response) => {
    if (request.url === "/empty") return response.writeHead(204).end();
    response.writeHead(200, { "content-length": 100 }).write('{"half":');
    setImmediate(() => response.destroy());
  });
  expect(await transport.send({ method: "GET", path: "/empty" })).toMatchObject({ status: 204, body: { length: 0 } });
  await expect(transport.send({ method: "GET", path: "/half" })).rejects.toMatchObject({ code: "server_unreachable" });
});

it("ends with its caller's own reason, also in the middle of an answer", async () => {
  const stop = new AbortController();
  const transport = await reach((_request, response) => {
    response.write("{");
    setImmediate(() => stop.abort(new Error("enough")));
  });
  await expect(transport.send({ method: "GET", path: "/", signal: stop.signal })).rejects.toThrow("enough");
});
