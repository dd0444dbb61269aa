// The hello of a real TLS client, whole and in pieces.
import { createServer } from "node:net";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { readServerName } from "./server-name.ts";

/** What a client sends first. */
async function helloOf(servername: string | undefined): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => socket.once("data", resolve));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  const client = connect({ port, host: "127.0.0.1", ...(servername === undefined ? {} : { servername }) });
  client.on("error", () => {});
  const hello = await promise;
  client.destroy();
  server.close();
  return hello;
}

test("[CONFINE-NETWORK-1] the name that a TLS client asks for is read, and no name where there is none", async () => {
  const hello = await helloOf("Registry.Example.org");
  expect(readServerName(hello)).toBe("registry.example.org");
  for (const size of [0, 1, 5, 60, hello.length - 1]) expect(readServerName(hello.subarray(0, size))).toBe("more");
  expect(readServerName(await helloOf(undefined))).toBe(null);
});

test("[CONFINE-NETWORK-1] what is no hello has no name", () => {
  expect(readServerName(Buffer.from("GET / HTTP/1.1\r\n"))).toBe(null);
  expect(readServerName(Buffer.from([0x16, 3, 1, 0, 4, 1, 0, 0, 0]))).toBe(null);
  expect(readServerName(Buffer.from([0x16, 3, 1, 0, 1, 2]))).toBe(null);
});
