// Whatever is thrown at the server, it stays up, acknowledges nothing that it loses, and its log verifies.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { HapEngine } from "@hap/core";
import { afterEach, describe, expect, it } from "vitest";
import { steadyPort } from "../../../test/support/steady-port.ts";
import { connectAgent, connectPerson } from "../../sdk/src/index.ts";
import { type Front, openFront } from "./front.ts";

let front: Front | undefined;
afterEach(async () => {
  await front?.close();
  front = undefined;
});

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"];
const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;
const junk = (most: number) => randomBytes(randomInt(most)).toString(pick(["hex", "base64", "latin1"]));

/** JSON that nobody asked for: deep, wide, of the wrong types, or cut off. */
function wrongJson(): string {
  const values = [
    "null",
    "1e999",
    "-0",
    `"${"\\u0000".repeat(3)}"`,
    '"\\ud800"',
    "[".repeat(2000),
    '{"a":'.repeat(500),
    "{}",
    "[]",
    "true",
    `"${junk(200).replaceAll(/["\\\n\r]/g, "")}"`,
  ];
  const keys = [
    "to",
    "from",
    "summary",
    "kind",
    "details",
    "ttl_seconds",
    "risk",
    "ask",
    "decision",
    "code",
    "id",
    "__proto__",
    "seconds",
  ];
  return pick([
    pick(values),
    `{${Array.from({ length: randomInt(6) }, () => `"${pick(keys)}":${pick(values)}`).join(",")}}`,
    junk(300),
  ]);
}

describe("malformed requests", () => {
  it("[HTTP-TORTURE-1] whose address is too long, or which are not HTTP, are refused with problem details", async () => {
    front = await openFront();
    const long = await front.anyone("GET", `/v1/tickets?project=${"x".repeat(20_000)}`);
    expect([long.status, long.body.code, long.headers.get("content-type")]).toEqual([
      413,
      "too_large",
      "application/problem+json",
    ]);
    const { hostname, port } = new URL(front.url);
    const answer = await new Promise<string>((resolve, reject) => {
      let said = "";
      const socket = connect(Number(port), hostname, () => socket.write("NOT HTTP AT ALL\r\n\r\n"));
      socket.on("data", (chunk) => {
        said += chunk;
      });
      socket.on("end", () => resolve(said));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"code":"invalid_input"');
  });

  it("[HTTP-TORTURE-1] a hundred thousand of them leave the server up and the log valid", async () => {
    front = await openFront({ real: true });
    const { engine, url } = front;
    const { port, host } = new URL(url);
    const { key } = engine.createKey({ agent: "agent:ci" }, "human:alex");
    const { secret } = engine.signIn("human:alex", "token", "code");
    const { id } = engine.createTicket({ to: "human:alex", from: "agent:ci" });
    const paths = Object.keys(
      ((await front.anyone("GET", "/openapi.json")).body as { paths: Record<string, unknown> }).paths,
    ).filter((path) => path !== "/v1/events/stream");
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const statuses = new Map<number, number>();
    const one = () =>
      new Promise<void>((resolve) => {
        const path = pick(paths).replaceAll(/\{\w+\}/g, () => pick([id, "tk_none", encodeURIComponent(junk(40)), "%00", ".."]));
        const query = pick([
          "",
          "",
          `?${encodeURIComponent(junk(30))}`,
          "?limit=x",
          "?wait=-1",
          "?state=open&state=x",
          "?after=cur_x",
        ]);
        const method = pick(METHODS);
        const body = method === "GET" || method === "HEAD" ? "" : wrongJson();
        const sent = request(
          {
            host: "127.0.0.1",
            port,
            method,
            path: path + query,
            agent,
            headers: {
              host,
              "content-type": pick(["application/json", "application/json", "text/plain", "multipart/form-data"]),
              "content-length": Buffer.byteLength(body),
              ...pick([
                {},
                { authorization: `Bearer ${key}` },
                { authorization: `Bearer ${secret}` },
                { authorization: "Basic x" },
              ]),
            },
          },
          (response) => {
            statuses.set(response.statusCode ?? 0, (statuses.get(response.statusCode ?? 0) ?? 0) + 1);
            response.resume().on("end", resolve);
          },
        );
        sent.on("error", () => resolve());
        sent.end(body);
      });
    const raw = (bytes: string | Buffer) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), "127.0.0.1", () => socket.end(bytes));
        socket.on("error", () => resolve()).on("close", () => resolve());
        socket.resume();
      });
    const total = 100_000;
    const raws = 500;
    let left = total - raws;
    const worker = async () => {
      while (left-- > 0) await one();
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    for (let at = 0; at < raws; at++)
      await raw(
        pick([
          randomBytes(200),
          "GET / HTTP/9\r\n\r\n",
          `POST /v1/tickets HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 99\r\n\r\n{`,
          "\r\n".repeat(50),
        ]),
      );
    agent.destroy();
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect((await front.anyone("GET", "/readyz")).body.status).toBe("ready");
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    expect(engine.getTicket(id).from).toBe("agent:ci");
  }, 900_000);
});

describe("a server that is killed and started again under load", () => {
  it("[HTTP-RESTART-1] loses nothing that it acknowledged, and clients that wait go on", async () => {
    front = await openFront({ real: true });
    const { path, folder, engine } = front;
    const { key } = engine.createKey({ agent: "agent:ci" }, "human:alex");
    const { secret } = engine.signIn("human:alex", "token", "code");
    await front.server.close();
    const port = await steadyPort();
    let child: ChildProcess | undefined;
    const start = async () => {
      child = spawn(process.execPath, [join(import.meta.dirname, "fixtures", "serve.ts"), path, folder, String(port)], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, HAP_HUMAN_ID: "human:alex" },
      });
      await new Promise((resolve, reject) => {
        child?.stdout?.once("data", resolve);
        child?.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
      });
      child.removeAllListeners("exit");
    };
    await start();
    const url = `http://localhost:${port}`;
    const [agent, person] = [await connectAgent({ url, apiKey: key }), await connectPerson({ url, token: secret })];
    const acknowledged: string[] = [];
    let running = true;
    const asking = Array.from({ length: 4 }, async () => {
      while (running) {
        const made = await agent.createTicket({ to: "human:alex", summary: "x" }).catch(() => null);
        if (made !== null) acknowledged.push(made.id);
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    const first = await agent.createTicket({ to: "human:alex", summary: "first" });
    const waiting = agent.wait(first.id);
    for (let kills = 0; kills < 5; kills++) {
      // Each server is killed at work, however long its start took.
      const before = acknowledged.length;
      while (acknowledged.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 300 + randomInt(500)));
      child?.kill("SIGKILL");
      await new Promise((resolve) => child?.once("exit", resolve));
      await start();
    }
    running = false;
    await Promise.all(asking);
    await person.approve(first.id, "at last");
    expect(await waiting).toMatchObject({ status: "approved", comment: "at last" });
    await agent.close();
    await person.close();
    child?.kill("SIGTERM");
    expect(await new Promise((resolve) => child?.once("exit", resolve))).toBe(0);
    const after = new HapEngine({ dbPath: path, home: folder });
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    for (const id of acknowledged) expect(after.parties(id)).not.toBeNull();
    expect(after.verifyEventLog()).toMatchObject({ ok: true });
    after.dispose();
  }, 240_000);
});
