// ops/nginx/hap.conf.template with a real nginx: two servers on one PostgreSQL, spaces in parallel, one server drained and gone.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestServer } from "../../packages/core/test/postgres/test-server.ts";
import { type RunningServer, serve } from "../../packages/server/src/index.ts";
import { repoRoot } from "../support/bundle-fixture.ts";
import { steadyPort } from "../support/steady-port.ts";
import { needProgram } from "../support/system-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let postgres: TestServer;
let port: number;
let nginx: ReturnType<typeof spawn>;
const servers: RunningServer[] = [];

type Answer = { status: number; body: Record<string, unknown> };

/** A request through the balancer. */
function call(method: string, path: string, key: string | null, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      host: `hap.test:${port}`,
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(text === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    const outgoing = request({ host: "127.0.0.1", port, method, path, headers, rejectUnauthorized: false }, (incoming) => {
      let data = "";
      incoming.on("data", (chunk) => {
        data += chunk;
      });
      incoming.on("end", () => {
        resolve({ status: incoming.statusCode ?? 0, body: data.startsWith("{") ? JSON.parse(data) : {} });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

beforeAll(async () => {
  needProgram("nginx", "nginx-light");
  needProgram("openssl");
  postgres = await TestServer.start();
  port = await steadyPort();
  const url = await postgres.database();
  for (let at = 0; at < 2; at++) {
    const home = join(folder, `node-${at}`);
    mkdirSync(home);
    const publicUrl = `https://hap.test:${port}`;
    const database = { url, space: "default" };
    servers.push(
      await serve({ database, home, port: 0, publicUrl, trustedProxies: ["127.0.0.1"], drainMs: 600_000, humanId: "human:alex" }),
    );
  }
  const tls = join(folder, "tls");
  mkdirSync(tls);
  execFileSync("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=hap.test"],
    ...["-keyout", join(tls, "tls.key"), "-out", join(tls, "tls.crt")],
  ]);
  // What the entry point of nginx's image does with the template, and what lies elsewhere there.
  const template = readFileSync(join(repoRoot, "ops/nginx/hap.conf.template"), "utf8");
  const conf = template
    .replace(/\$\{HAP_HOST\}/g, "hap.test")
    .replace(/\$\{HAP_SERVERS_([12])\}/g, (_, number) => `127.0.0.1:${servers[Number(number) - 1]?.port}`)
    .replaceAll("/etc/hap-tls", tls)
    .replaceAll("/dev/stdout", join(folder, "access.log"))
    .replace("listen 8443", `listen 127.0.0.1:${port}`);
  expect(conf).not.toMatch(/\$\{/);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  const whole = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { ${paths.join(" ")}\n${conf}\n}`;
  writeFileSync(join(folder, "nginx.conf"), whole);
  nginx = spawn("nginx", ["-c", join(folder, "nginx.conf"), "-p", folder], { stdio: "inherit" });
  // Until nginx listens.
  while ((await call("GET", "/healthz", null).catch(() => null))?.status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 50));
});

afterAll(async () => {
  nginx?.kill();
  for (const server of servers) {
    const closing = server.close();
    await server.close();
    await closing;
  }
  await postgres?.stop();
});

/** The servers that took the requests of a space, by their ports. */
const serversOf = (path: string) =>
  new Set(
    readFileSync(join(folder, "access.log"), "utf8")
      .split("\n")
      .filter((line) => line.includes(` ${path}`))
      .map((line) => line.split(" ").at(-1)),
  );

it("[DEPLOY-PROXY-1] sends all requests of a space to one server, and streams through", async () => {
  const engine = servers[0]?.engine;
  const { key } = engine?.createKey({ agent: "agent:ci" }, "human:alex") ?? { key: "" };
  const { secret } = engine?.signIn("human:alex", "token", "code") ?? { secret: "" };
  const opened = await call("POST", "/v1/tickets", key, { to: "human:alex", summary: "Deploy" });
  expect(opened.status).toBe(201);
  const waiting = call("GET", `/v1/tickets/${opened.body.id}?wait=60`, key);
  expect((await call("POST", `/v1/tickets/${opened.body.id}/intents`, secret, { decision: "approve" })).status).toBe(200);
  expect((await waiting).body).toMatchObject({ state: "APPROVED" });
  expect(serversOf("/v1/tickets").size).toBe(1);
  expect((await call("GET", "/metrics", secret)).status).toBe(404);
});

it("[DEPLOY-PROXY-1] a server that leaves is not missed: the other one takes its spaces", async () => {
  const { secret } = servers[1]?.engine.signIn("human:alex", "token", "code") ?? { secret: "" };
  for (const server of servers) {
    const closing = server.close();
    expect((await call("GET", "/v1/me", secret)).status).toBe(200);
    if (server === servers[0]) {
      await server.close();
      await closing;
    }
    expect((await call("GET", "/v1/me", secret)).status).toBe(200);
  }
});
