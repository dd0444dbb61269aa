// A connection that nobody uses is closed by the client, in time: what is sent into one that the server is closing is lost.
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, it } from "vitest";
import { NodeTransport } from "../src/remote/node-transport.ts";

it("[SDK-IDLE-1] a client closes an idle connection before the time that the server states is over", async () => {
  const server = createServer((_request, response) => response.end("{}"));
  // Stated in whole seconds; the client leaves one of them, the server itself waits another one.
  server.keepAliveTimeout = 2_000;
  const connected = new Promise<Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = new NodeTransport({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: null });
  try {
    await transport.send({ method: "GET", path: "/" });
    const socket = await connected;
    const first = await new Promise<string>((resolve) => {
      socket.once("end", () => resolve("client"));
      socket.once("close", () => resolve("server"));
    });
    expect(first).toBe("client");
  } finally {
    transport.close();
    server.close();
  }
});
