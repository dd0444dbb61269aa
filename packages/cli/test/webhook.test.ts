// hap serve with its flags for operators, and hap webhook, against a receiver of our own.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { World } from "./hap.ts";

const world = new World();
const children: ReturnType<World["start"]>[] = [];
const servers: Server[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Takes whatever is posted. */
async function openReceiver(): Promise<{ url: string; got: Record<string, unknown>[]; next: () => Promise<void> }> {
  const got: Record<string, unknown>[] = [];
  let wake = () => {};
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    got.push(JSON.parse(body));
    response.end();
    wake();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got, next };
}

/** A server on the world's store. */
async function openServer(...options: string[]) {
  const child = world.start(["serve", "--port", "0", "--json", ...options]);
  children.push(child);
  let [out, err] = ["", ""];
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`hap serve ended with ${code}: ${err}`)));
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (out.trimEnd().endsWith("}")) resolve();
    });
  });
  child.removeAllListeners("exit");
  return {
    url: (JSON.parse(out) as { url: string }).url,
    log: () => err,
    stop: () =>
      new Promise<number | null>((resolve) => {
        // Not its exit, after which the last lines of the log may still be on their way.
        child.once("close", resolve);
        child.kill("SIGTERM");
      }),
  };
}

test("[HOOK-OWNER-1] hap webhook makes, tries, lists and removes webhooks, and hap serve sends, logs and traces", async () => {
  const receiver = await openReceiver();
  const collector = await openReceiver();
  const server = await openServer("--allow-private-webhooks", "--log-level", "debug", "--otlp", collector.url);
  const narrow = ["--events", "ticket.create", "--tier", "routine"];
  const made = await world.json<{ id: string; secret: string }>(["webhook", "create", receiver.url, ...narrow]);
  expect(made).toMatchObject({
    events: ["ticket.create"],
    filter: { tier: "routine" },
    secret: expect.stringMatching(/^whsec_/),
  });
  const arrived = receiver.next();
  expect(await world.ok(["webhook", "test", made.id])).toMatch(/^msg_\S+ waits/);
  await arrived;
  expect(receiver.got).toMatchObject([{ type: "webhook.test", data: { webhook_id: made.id } }]);
  expect(await world.ok(["webhook", "list"])).toContain(made.id);
  expect(await world.ok(["webhook", "list"])).not.toContain(made.secret);
  expect(await world.ok(["webhook", "dead"])).toContain("No message was given up.");
  expect((await world.run(["webhook", "dead", "--redeliver", "msg_none"])).code).toBe(4);
  expect(await world.ok(["webhook", "remove", made.id])).toContain("is gone");
  expect(await world.ok(["webhook", "erase", made.id])).toContain(`Erased the address of ${made.id}`);
  expect(await world.ok(["webhook", "list"])).toContain("There are no webhooks.");
  expect((await fetch(`${server.url}/v1/tickets`)).status).toBe(401);
  expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('hap_webhook_tries_total{result="delivered"} 1');
  expect(await server.stop()).toBe(0);
  const lines = server
    .log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { msg: string; trace_id?: string })
    // The verification at start writes its line whenever it is done.
    .filter(({ msg }) => msg !== "Log verified");
  expect(lines.map(({ msg }) => msg)).toEqual(["Webhook delivered", "Request refused"]);
  expect(lines[1]?.trace_id).toMatch(/^[0-9a-f]{32}$/);
  expect(JSON.stringify(collector.got)).toContain('"GET /v1/tickets"');
});

test("[LOG-LEVEL-1] hap serve refuses a level and a collector that it does not know", async () => {
  for (const [env, ...args] of [
    [{}, "--log-level", "loud"],
    [{ HAP_LOG: "loud" }],
    [{}, "--otlp", "nonsense"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://example.org" }],
  ] as [Record<string, string>, ...string[]][]) {
    const ran = await world.run(["serve", "--port", "0", ...args], { env });
    expect(ran.code, ran.err).toBe(2);
    expect(ran.err).toMatch(/must be/);
  }
});

test("[HOOK-OWNER-1] an agent makes no webhooks", async () => {
  const ran = await world.run(["webhook", "create", "https://example.org/"], { env: { HAP_AGENT_ID: "agent:ci" } });
  expect(ran.code).toBe(3);
  expect(ran.err).toContain("agents do not say where events go");
});
