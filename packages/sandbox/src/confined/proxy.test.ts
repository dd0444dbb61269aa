import { type AddressInfo, connect, createServer } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { makeProxy } from "./proxy.ts";

// The name that is allowed leads to this machine here, which the proxy refuses; so both look-ups are replaced.
vi.mock("node:dns/promises", () => ({ lookup: async () => [{ address: "127.0.0.1", family: 4 }] }));
vi.mock("./allowed-hosts.ts", async (original) => ({
  ...(await original<typeof import("./allowed-hosts.ts")>()),
  isThisMachine: () => false,
}));
vi.mock("node:os", async (original) => ({ ...(await original<typeof import("node:os")>()), networkInterfaces: () => ({}) }));

const closing: { close: () => void }[] = [];
afterEach(() => {
  for (const one of closing.splice(0)) one.close();
});

test("[CONFINE-FRONT-1] a tunnel for plain HTTP carries no Host of the client's choice", async () => {
  const refused: string[] = [];
  const proxy = makeProxy({ rules: ["registry.example"], refused: (host) => refused.push(host) });
  const listener = createServer((socket) => void proxy.emit("connection", socket));
  closing.push(listener);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const answer = await new Promise<string>((resolve) => {
    let said = "";
    const client = connect(port, "127.0.0.1");
    client.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("established") && !said.includes("403"))
        client.write("GET http://elsewhere.example/ HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n");
    });
    client.on("close", () => resolve(said));
    client.write("CONNECT registry.example:80 HTTP/1.1\r\nHost: registry.example:80\r\n\r\n");
  });
  expect(answer).toContain("403 Forbidden");
  expect(refused).toEqual(["elsewhere.example"]);
});
