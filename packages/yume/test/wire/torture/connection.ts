// Hazards of the connection, which are the same for every format: who is at the other end, proxies, cancellation.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as forward, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createProvider } from "../../../src/providers/index.ts";
import { ask, type Heard, requestOf } from "../ask.ts";
import { startScriptedModel } from "../server.ts";
import { outcomeOf, raw, refusal, standard, untilMidArguments } from "./scenario.ts";
import { selfSigned } from "./self-signed.ts";

type ConnectionHazard = { hazard: string; outcome: string; run: () => Promise<string> };

const openai = (env: Record<string, string>, settings: { idleTimeoutMs?: number; retryBaseMs?: number } = {}) =>
  createProvider({
    provider: "openai",
    env: { OPENAI_API_KEY: "sk-very-secret", ...env },
    settings: { retryBaseMs: 1, retryMs: 0, ...settings },
  });

const told = (heard: Heard, pattern: RegExp) =>
  pattern.test(heard.error?.message ?? "") ? outcomeOf(heard) : `${outcomeOf(heard)}, but it says: ${heard.error?.message}`;

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Proxy = { url: string; seen: string[]; close(): Promise<void> };

/** A forward proxy: for http by the absolute address, for https by CONNECT. */
async function startProxy(verdict: "pass" | "refuse" = "pass"): Promise<Proxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    if (verdict === "refuse") {
      response.writeHead(407).end();
      return;
    }
    const onward = forward(incoming.url ?? "", { method: incoming.method ?? "GET", headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, client: Socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    if (verdict === "refuse") {
      client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const [host, port] = (incoming.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [onward, client]) socket.on("error", () => socket.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Asks from a process of its own, which has to end by itself. */
async function askInProcess(env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "../fixtures/ask-once.mjs")], {
    env,
  });
  return stdout.trim();
}

/** Aborts as soon as an event of this type was heard. */
async function abortAt(type: string, answers: Parameters<typeof startScriptedModel>[0], settings = {}): Promise<string> {
  const model = await startScriptedModel(answers);
  try {
    const provider = await openai({ OPENAI_BASE_URL: `${model.url}/v1` }, settings);
    const abort = new AbortController();
    const types: string[] = [];
    try {
      for await (const event of provider.stream(requestOf(), { signal: abort.signal })) {
        types.push(event.type);
        if (event.type === type) abort.abort();
      }
    } catch (error) {
      return `error \`${(error as { kind?: string }).kind}\`${types.includes("end") ? " after an end" : ""}`;
    }
    return "no error";
  } finally {
    await model.close();
  }
}

export const connectionHazards: ConnectionHazard[] = [
  {
    hazard: "connection refused",
    outcome: "error `network` after 3 tries",
    run: async () =>
      told(await ask(await openai({ OPENAI_BASE_URL: `http://127.0.0.1:${await freePort()}/v1` })), /nobody listens/),
  },
  {
    hazard: "no such host",
    outcome: "error `network`",
    run: async () => {
      const heard = await ask(await openai({ OPENAI_BASE_URL: "http://no-such-host.invalid/v1" }));
      // Some resolvers say that it may come back, which is worth more tries.
      return told(heard, /no-such-host\.invalid/).replace(" after 3 tries", "");
    },
  },
  {
    hazard: "an API base that is no address",
    outcome: "error `bad_request`",
    run: async () => told(await ask(await openai({ OPENAI_BASE_URL: "localhost/v1" })), /http:\/\//),
  },
  {
    hazard: "a TLS certificate that nobody trusts",
    outcome: "error `network`",
    run: async () => {
      const model = await startScriptedModel([standard], { tls: selfSigned });
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url}/v1` }));
      await model.close();
      return model.requests.length > 0 ? "a request was sent" : told(heard, /NODE_EXTRA_CA_CERTS/);
    },
  },
  {
    hazard: "no TLS where TLS was expected",
    outcome: "error `network`",
    run: async () => {
      const model = await startScriptedModel([standard]);
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url.replace("http", "https")}/v1` }));
      await model.close();
      return told(heard, /TLS/);
    },
  },
  {
    hazard: "through a proxy (HTTP_PROXY)",
    outcome: "turn",
    run: async () => {
      const [model, proxy] = [await startScriptedModel([standard]), await startProxy()];
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url}/v1`, HTTP_PROXY: proxy.url }));
      await Promise.all([model.close(), proxy.close()]);
      return proxy.seen.length === 1 ? outcomeOf(heard) : "past the proxy";
    },
  },
  {
    hazard: "past the proxy (NO_PROXY)",
    outcome: "turn",
    run: async () => {
      const [model, proxy] = [await startScriptedModel([standard]), await startProxy()];
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url}/v1`, http_proxy: proxy.url, no_proxy: "127.0.0.1" }));
      await Promise.all([model.close(), proxy.close()]);
      return proxy.seen.length === 0 ? outcomeOf(heard) : "through the proxy";
    },
  },
  {
    hazard: "through a proxy (HTTPS_PROXY) to a server of a private authority (NODE_EXTRA_CA_CERTS)",
    outcome: "turn",
    run: async () => {
      const [model, proxy] = [await startScriptedModel([standard], { tls: selfSigned }), await startProxy()];
      const folder = mkdtempSync(join(tmpdir(), "yume-tls-"));
      const authority = join(folder, "authority.pem");
      writeFileSync(authority, selfSigned.cert);
      const said = await askInProcess({
        OPENAI_BASE_URL: `${model.url}/v1`,
        HTTPS_PROXY: proxy.url,
        NODE_EXTRA_CA_CERTS: authority,
      });
      rmSync(folder, { recursive: true });
      await Promise.all([model.close(), proxy.close()]);
      return proxy.seen[0]?.startsWith("CONNECT") ? said : `past the proxy: ${said}`;
    },
  },
  {
    hazard: "a process that has nothing more to do, with a kept connection",
    outcome: "turn",
    run: async () => {
      const model = await startScriptedModel([standard]);
      const said = await askInProcess({ OPENAI_BASE_URL: `${model.url}/v1` });
      await model.close();
      return said;
    },
  },
  {
    hazard: "a proxy that refuses to connect (HTTPS_PROXY)",
    outcome: "error `network` after 3 tries",
    run: async () => {
      const [model, proxy] = [await startScriptedModel([standard], { tls: selfSigned }), await startProxy("refuse")];
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url}/v1`, HTTPS_PROXY: proxy.url }));
      await Promise.all([model.close(), proxy.close()]);
      return told(heard, /HTTPS_PROXY/);
    },
  },
  {
    hazard: "a kept connection that the server closed",
    outcome: "turn",
    run: async () => {
      const model = await startScriptedModel([standard, standard]);
      const provider = await openai({ OPENAI_BASE_URL: `${model.url}/v1` });
      await ask(provider);
      model.dropConnections();
      const heard = await ask(provider);
      await model.close();
      return outcomeOf(heard);
    },
  },
  {
    hazard: "the key echoed in an error",
    outcome: "error `auth`",
    run: async () => {
      const model = await startScriptedModel([refusal("chat", 401, "Incorrect API key provided: sk-very-secret")]);
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url}/v1` }));
      await model.close();
      return heard.error?.message.includes("sk-very-secret") ? "the key is told" : told(heard, /\[secret\]/);
    },
  },
  {
    hazard: "no key where one is needed",
    outcome: "error `auth`",
    run: async () => {
      const model = await startScriptedModel([refusal("chat", 401, "no key")]);
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "" }));
      await model.close();
      return told(heard, /Set OPENAI_API_KEY/);
    },
  },
  {
    hazard: "cancelled before the request",
    outcome: "error `aborted`",
    run: async () => {
      const model = await startScriptedModel([standard]);
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url}/v1` }), requestOf(), AbortSignal.abort());
      await model.close();
      return model.requests.length === 0 ? outcomeOf(heard) : "a request was sent";
    },
  },
  {
    hazard: "cancelled while the server is silent",
    outcome: "error `aborted`",
    run: async () => {
      const abort = new AbortController();
      const model = await startScriptedModel(() => {
        setImmediate(() => abort.abort());
        return raw([], { ending: "hang" });
      });
      const heard = await ask(await openai({ OPENAI_BASE_URL: `${model.url}/v1` }), requestOf(), abort.signal);
      await model.close();
      return outcomeOf(heard);
    },
  },
  {
    hazard: "cancelled in mid-text",
    outcome: "error `aborted`",
    run: () => abortAt("text_delta", [raw(untilMidArguments("chat"), { ending: "hang" })]),
  },
  {
    hazard: "cancelled in mid-arguments",
    outcome: "error `aborted`",
    run: () => abortAt("tool_delta", [raw(untilMidArguments("chat"), { ending: "hang" })]),
  },
  {
    hazard: "cancelled while waiting for the next try",
    outcome: "error `aborted`",
    run: () => abortAt("retry", [refusal("chat", 503, "down"), standard], { retryBaseMs: 15_000 }),
  },
  {
    hazard: "whoever listens is slower than the time that silence is allowed",
    outcome: "turn",
    run: async () => {
      const model = await startScriptedModel([standard]);
      const provider = await openai({ OPENAI_BASE_URL: `${model.url}/v1` }, { idleTimeoutMs: 2000 });
      let heard = "nothing";
      for await (const event of provider.stream(requestOf(), { signal: new AbortController().signal })) {
        if (heard === "nothing") await new Promise((resolve) => setTimeout(resolve, 3000));
        heard = event.type === "end" ? "turn" : event.type;
      }
      await model.close();
      return heard;
    },
  },
  {
    hazard: "nobody listens to the rest",
    outcome: "the connection is closed",
    run: async () => {
      const model = await startScriptedModel([raw(untilMidArguments("chat"), { ending: "hang" })]);
      const provider = await openai({ OPENAI_BASE_URL: `${model.url}/v1` });
      for await (const event of provider.stream(requestOf(), { signal: new AbortController().signal }))
        if (event.type === "text_delta") break;
      await model.idle();
      await model.close();
      return "the connection is closed";
    },
  },
];
