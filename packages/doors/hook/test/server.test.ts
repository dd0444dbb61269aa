// The hook at a real server: whose key asks, and what happens when nobody answers there.
import { createServer, type Server, type Socket } from "node:net";
import { connectPerson, type PersonClient } from "@hap/sdk/person";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, serve } from "../../../server/src/index.ts";
import { claudePayloads as claude } from "./fixtures/claude-payloads.ts";
import { decided, World } from "./world.ts";

describe("with an agent's key", () => {
  const world = new World();
  let server: RunningServer;
  let person: PersonClient;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await serve({ dbPath: world.store, home: world.home, port: 0, humanId: "human:alex" });
    person = await connectPerson({ url: server.url, token: server.engine.signIn("human:alex", "token", "code").secret });
    const { key } = server.engine.createKey({ agent: "agent:ci" }, "human:alex");
    env = { HAP_URL: server.url, HAP_API_KEY: key };
  });
  afterAll(async () => {
    await person.close();
    await server.close();
  });

  /** Run the hook while the person approves what it opens. */
  async function approved(payload: object, argv: string[]) {
    const running = world.run("claude", payload, { argv, env });
    for (;;) {
      const [ticket] = (await person.inbox()).tickets;
      if (ticket !== undefined) {
        const { phrase } = server.engine.issuePhrase(ticket.id, { by: "human:alex" });
        return { ticket: await person.approve(ticket.id, "fine", { phrase }), ran: await running };
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  test("[HOOK-KEY-1] the key's own agent asks, whatever its name, and its yes is used once", async () => {
    const call = claude.bash(world.project, "npm publish");
    const { ticket, ran } = await approved(call, ["--to", "human:alex"]);
    expect(decided(ran)).toEqual({ decision: "allow", reason: "Approved by human:alex. They said: fine" });
    expect(ticket.from).toBe("agent:ci");
    expect((await person.getTicket(ticket.id)).consumed).toMatchObject({ by: "agent:ci" });
    const again = await world.run("claude", call, { argv: ["--to", "human:alex", "--wait", "1"], env });
    expect(decided(again).decision).toBe("deny");
    expect((await person.list()).tickets).toHaveLength(2);
    await person.reject((await person.inbox()).tickets[0]?.id as string);
  });

  test("[HOOK-KEY-1, HOOK-RUN-1] with --run the command names the server and the key's agent, and never the key", async () => {
    const { ticket, ran } = await approved(claude.bash(world.project, "npm run x"), ["--to", "human:alex", "--run"]);
    const command = `HAP_URL='${server.url}' HAP_AGENT_ID='agent:ci' hap run ${ticket.id}`;
    expect(ran.said.hookSpecificOutput?.updatedInput).toMatchObject({ command });
  });

  test("[HOOK-KEY-1] a name that the key may not use is refused", async () => {
    const argv = ["--agent", "agent:somebody-else"];
    const ran = await world.run("claude", claude.bash(world.project, "npm test"), { argv, env });
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain("did not join through it");
  });
});

describe("out of reach", () => {
  const world = new World();
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  /** A port, and how often somebody came. */
  async function listen(answer: (socket: Socket) => void): Promise<{ url: string; server: Server; came: () => number }> {
    let came = 0;
    const server = createServer((socket) => {
      came++;
      socket.on("error", () => {});
      answer(socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server, came: () => came };
  }

  /** The refusal, held to the 10 s that are promised. */
  async function refused(url: string): Promise<string> {
    const started = performance.now();
    const ran = await world.run("claude", claude.bash(world.project, "npm test"), {
      argv: [],
      env: { HAP_URL: url, HAP_API_KEY: "hap_none" },
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    return ran.err;
  }

  test.concurrent("[HOOK-SERVER-1] a server that does not listen is a no within 10 s", async () => {
    const { url, server } = await listen(() => {});
    await new Promise((resolve) => server.close(resolve));
    expect(await refused(url)).toMatch(/HAP refuses this call because the gate failed: .*ECONNREFUSED/s);
  });

  test.concurrent("[HOOK-SERVER-1] a server that takes the call and never answers is a no within 10 s", async () => {
    const { url, came } = await listen(() => {});
    expect(await refused(url)).toContain("HAP refuses this call because the gate failed: Reaching HAP took longer than");
    expect(came()).toBeGreaterThan(0);
  });

  test.concurrent("[HOOK-SERVER-1] a server that begins an answer and never ends it is a no within 10 s", async () => {
    const { url, came } = await listen((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
    });
    expect(await refused(url)).toContain("Reaching HAP took longer than");
    expect(came()).toBeGreaterThan(0);
  });
});
