// A model that says what a script tells it, in whatever wire format it is asked. One answer of the script per request.
// Well-behaved turns are encoded for the format of the request; raw answers are sent as they are, in any pieces.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { contentTypeOf, encodeTurn, type ScriptedTurn, type WireName } from "./encode-turn.ts";

/** Bytes for the wire, and how they get there. */
export type RawAnswer = {
  status?: number;
  headers?: Record<string, string>;
  chunks?: readonly (string | Uint8Array)[];
  /** `bytes`: one at a time. `joined`: all in one piece. */
  split?: "chunks" | "bytes" | "joined";
  /** What happens after the last chunk: a proper end, the connection breaks, or nothing at all. */
  ending?: "end" | "drop" | "hang";
  /** Waits before each chunk. */
  gapMs?: number;
};

/** What is said to one request. Nothing: the connection is cut before a word of answer. */
export type ScriptedAnswer = ScriptedTurn | { raw: RawAnswer } | { cut: true };

/** A request that came. */
type SeenRequest = {
  wire: WireName | null;
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
  /** The port of the client: the same while a connection is kept. */
  port: number;
};

export type ScriptedModel = {
  url: string;
  /** Every request so far, oldest first. */
  requests: SeenRequest[];
  /** Adds answers to the end of the script. */
  say(...answers: ScriptedAnswer[]): void;
  /** Variables that lead a provider here, keys included. */
  env(wire: WireName): Record<string, string>;
  /** Answers left in the script. */
  left(): number;
  /** Closes the connections that are open; new ones are accepted. */
  dropConnections(): void;
  /** Waits until no connection is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Script = readonly ScriptedAnswer[] | ((request: SeenRequest, number: number) => ScriptedAnswer);

type ServerOptions = { tls?: { key: string; cert: string } };

/** Starts the model on a free port of the loopback. When the script is over, requests get a 400 that says so. */
export async function startScriptedModel(script: Script, options: ServerOptions = {}): Promise<ScriptedModel> {
  const requests: SeenRequest[] = [];
  const answers = typeof script === "function" ? [] : [...script];
  const next = (request: SeenRequest): ScriptedAnswer =>
    typeof script === "function" ? script(request, requests.length) : (answers.shift() ?? overAnswer);

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(incoming);
    requests.push(request);
    await give(next(request), request.wire, response);
  };
  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    handle(incoming, response).catch(() => response.destroy());
  };
  const server: Server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const url = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    say: (...more) => void answers.push(...more),
    env: (wire) => ({ ...environments[wire](url), YUME_RETRY_BASE_MS: "1", YUME_RETRY_SECONDS: "0" }),
    left: () => answers.length,
    dropConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
    async idle() {
      while (sockets.size > 0) await new Promise((resolve) => sockets.values().next().value?.once("close", resolve));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The provider that speaks a wire, for `--provider`. */
export const providerOf: Record<WireName, string> = {
  chat: "openai",
  responses: "codex",
  anthropic: "anthropic",
  gemini: "gemini",
  ollama: "ollama",
};

const environments: Record<WireName, (url: string) => Record<string, string>> = {
  chat: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "sk-scripted" }),
  responses: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "sk-scripted" }),
  anthropic: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-scripted" }),
  gemini: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "AIza-scripted" }),
  ollama: (url) => ({ OLLAMA_HOST: url }),
};

const overAnswer: ScriptedAnswer = {
  raw: {
    status: 400,
    headers: { "content-type": "application/json" },
    chunks: [JSON.stringify({ error: { message: "the script of this test is over", type: "invalid_request_error" } })],
  },
};

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const path = incoming.url ?? "";
  const text = Buffer.concat(chunks).toString("utf8");
  return {
    wire: wireOf(path),
    method: incoming.method ?? "",
    path,
    headers: incoming.headers,
    port: incoming.socket.remotePort ?? 0,
    body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

function wireOf(path: string): WireName | null {
  if (path.includes("/chat/completions")) return "chat";
  if (path.includes("/responses")) return "responses";
  if (path.includes("/v1/messages")) return "anthropic";
  if (path.includes(":streamGenerateContent")) return "gemini";
  return path.includes("/api/chat") ? "ollama" : null;
}

async function give(answer: ScriptedAnswer, wire: WireName | null, response: ServerResponse): Promise<void> {
  if ("cut" in answer) {
    response.destroy();
    return;
  }
  if ("raw" in answer) return giveRaw(answer.raw, wire, response);
  if (wire === null) return giveRaw({ status: 404, chunks: ["no model has this path"] }, wire, response);
  return giveRaw({ chunks: encodeTurn(wire, answer) }, wire, response);
}

async function giveRaw(raw: RawAnswer, wire: WireName | null, response: ServerResponse): Promise<void> {
  response.writeHead(raw.status ?? 200, { "content-type": contentTypeOf(wire ?? "chat"), ...raw.headers });
  response.flushHeaders();
  for (const piece of pieces(raw)) {
    if (response.destroyed) return;
    if (raw.gapMs !== undefined) await sleep(raw.gapMs);
    // Waiting for the piece to be written keeps pieces apart, as far as a network can.
    await new Promise((resolve) => response.write(piece, resolve));
    if (raw.split === "bytes") await new Promise(setImmediate);
  }
  if (raw.ending === "hang") return;
  if (raw.ending === "drop") response.destroy();
  else response.end();
}

function pieces({ chunks = [], split = "chunks" }: RawAnswer): Uint8Array[] {
  const buffers = chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk));
  if (split === "chunks") return buffers;
  const all = Buffer.concat(buffers);
  return split === "joined" ? [all] : [...all].map((byte) => Uint8Array.of(byte));
}
