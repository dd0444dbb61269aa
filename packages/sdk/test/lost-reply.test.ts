// A reply that is lost on the way: the ticket is sent again, and is still one ticket (D12).
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { testStore, testWorld } from "../../core/test/test-world.ts";
import { serve } from "../../server/src/index.ts";
import { connectAgent } from "../src/index.ts";

it("[ID-OWN-1] a ticket whose reply was lost is sent again under its id, and opened once", async () => {
  const store = testStore();
  const server = await serve({ dbPath: store.path, home: store.folder, world: testWorld(), port: 0, humanId: "human:alex" });
  const { port, host } = new URL(server.url);
  let posts = 0;
  const line = createServer((asked, reply) => {
    const lost = asked.method === "POST" && ++posts === 1;
    const { method, url: path, headers } = asked;
    const onward = request({ host: "127.0.0.1", port, method, path, headers: { ...headers, host } }, (answer) => {
      if (lost) answer.resume().on("end", () => reply.destroy());
      else answer.pipe(reply.writeHead(answer.statusCode ?? 500, answer.headers));
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  const { key } = server.engine.createKey({ agent: "agent:ci" }, "human:alex");
  const agent = await connectAgent({ url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`, apiKey: key });
  try {
    const ticket = await agent.createTicket({ to: "human:alex", kind: "deploy", summary: "Ship it" });
    expect(posts).toBe(2);
    expect((await agent.list()).tickets.map(({ id }) => id)).toEqual([ticket.id]);
  } finally {
    await agent.close();
    line.close();
    await server.close();
    store.remove();
  }
});
