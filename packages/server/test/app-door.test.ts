// The desktop app's way in: a private socket, one secret, the person at this account, and nothing that a page or an agent uses.
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Front, openFront } from "./front.ts";

const secret = "5e".repeat(32);
let folder: string;
let front: Front;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hap-app-"));
  front = await openFront({ app: { socket: join(folder, "engine.sock"), secret } });
});
afterEach(async () => {
  await front.close();
  rmSync(folder, { recursive: true, force: true });
});

type Reply = { status: number; body: Record<string, unknown> };

/** One request over the socket. */
function ask(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        socketPath: join(folder, "engine.sock"),
        method,
        path,
        headers: { host: "hap.app", "content-type": "application/json", ...headers },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text === "" ? {} : JSON.parse(text) }));
      },
    );
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const app = { authorization: `Bearer ${secret}` };

describe("the desktop app's door", () => {
  it("[DESK-DOOR-1] serves whoever knows the secret, as the person at this account, at level local", async () => {
    const { body: me } = await ask("GET", "/v1/me", app);
    expect(me).toMatchObject({ kind: "person", id: "human:alex", role: "owner", trust: "open" });
    const { id } = front.engine.createTicket({
      to: "human:alex",
      from: "agent:ci",
      kind: "run_command",
      summary: "x",
      details: { command: "ls" },
    });
    await ask("POST", `/v1/tickets/${id}/deliver`, app, {});
    const { status, body } = await ask("POST", `/v1/tickets/${id}/intents`, app, { decision: "approve" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "APPROVED",
      resolution: { assurance: "local", actor: { kind: "human", id: "human:alex" } },
    });
  });

  it("[DESK-DOOR-2] refuses everybody else, keys and sign-ins included, on every route", async () => {
    const key = front.engine.createKey({ agent: "agent:ci" }, "human:alex").key;
    const token = front.engine.signIn("human:alex", "token", "code").secret;
    for (const authorization of [
      "",
      "Bearer",
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret}0`,
      `Bearer ${key}`,
      `Bearer ${token}`,
    ])
      for (const path of ["/v1/me", "/v1/inbox", "/v1/login", "/v1/events/stream"]) {
        const { status, body } = await ask("GET", path, authorization === "" ? {} : { authorization });
        // Whoever tries too often is told that instead.
        expect(["401 login_needed", "429 rate_limited"], `${path} ${authorization}`).toContain(`${status} ${body.code}`);
      }
  });

  it("answers to its own name only, and has no pages, metrics or MCP", async () => {
    expect((await ask("GET", "/v1/me", { ...app, host: "localhost" })).body.code).toBe("origin_refused");
    for (const path of ["/", "/mcp", "/metrics", "/healthz", "/login", "/openapi.json"])
      expect((await ask("GET", path, app)).status, path).toBe(404);
  });
});
