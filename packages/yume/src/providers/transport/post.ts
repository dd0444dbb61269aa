// Posts JSON and gives back the answer as it comes. node:http: its first request costs less than that of fetch, and it
// says what went wrong. A connection that stays silent for too long is ended, so nothing waits for ever.
import type { ClientRequest, Agent as HttpAgent, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ModelError } from "../../model/types.ts";
import { PermanentModelError } from "../permanent-error.ts";

export type PostOptions = {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  idleTimeoutMs: number;
  /** Named in messages. */
  label: string;
};

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  body: AsyncIterable<Uint8Array>;
  /** Ends the connection; whoever reads the body gets this error. */
  stop(error?: ModelError): void;
  /** Nothing of interest follows: the connection is kept for the next request if the body ends at once. */
  release(): void;
};

const bodyEndsWithinMs = 100;

/** Posts over kept-alive connections, through the proxy that the environment names. */
export class Poster {
  readonly #env: NodeJS.ProcessEnv;
  readonly #agents = new Map<string, HttpAgent>();

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async post(options: PostOptions): Promise<Answer> {
    const first = await this.#postOnce(options);
    if (first !== "stale") return first;
    const second = await this.#postOnce(options);
    if (second !== "stale") return second;
    throw new ModelError("network", `${options.label}: the server closes its connections as soon as they are used`);
  }

  /** `stale`: a kept connection was closed by the other side just when we used it, which says nothing about the server. */
  async #postOnce(options: PostOptions): Promise<Answer | "stale"> {
    const { signal, label, idleTimeoutMs } = options;
    if (signal.aborted) throw abortedError();
    const url = parseUrl(options.url, label);
    const { request: start } = url.protocol === "https:" ? await import("node:https") : plainHttp();
    const agent = await this.#agentFor(url.protocol);
    return await new Promise<Answer | "stale">((resolve, reject) => {
      const bytes = Buffer.from(options.body);
      const request: ClientRequest = start(url, {
        method: "POST",
        agent,
        headers: { "accept-encoding": "identity", ...options.headers, "content-length": bytes.length },
      });
      let response: IncomingMessage | null = null;
      const stop = (error?: ModelError) => {
        if (response === null) request.destroy(error);
        else response.destroy(error);
      };
      const onAbort = () => stop(abortedError());
      const release = () => {
        clearTimeout(waiting);
        signal.removeEventListener("abort", onAbort);
      };
      const waiting = setTimeout(() => stop(silentError(label, idleTimeoutMs)), idleTimeoutMs);
      signal.addEventListener("abort", onAbort, { once: true });
      request.on("error", (error) => {
        release();
        const stale = request.reusedSocket && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
        if (stale && !signal.aborted) resolve("stale");
        else reject(signal.aborted ? abortedError() : connectionError(error, url, label));
      });
      request.once("response", (incoming) => {
        clearTimeout(waiting);
        response = incoming;
        incoming.once("close", release);
        // Errors reach whoever reads the body; without a reader they must not end the process.
        incoming.on("error", () => {});
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: readBody(incoming, { signal, label, idleTimeoutMs }, stop),
          stop,
          release: () => {
            if (incoming.complete) return;
            incoming.resume();
            setTimeout(() => incoming.destroy(), bodyEndsWithinMs).unref();
          },
        });
      });
      request.end(bytes);
    });
  }

  async #agentFor(protocol: string): Promise<HttpAgent> {
    const known = this.#agents.get(protocol);
    if (known !== undefined) return known;
    const { Agent } = protocol === "https:" ? await import("node:https") : plainHttp();
    const agent = new Agent({ keepAlive: true, proxyEnv: this.#env });
    this.#agents.set(protocol, agent);
    return agent;
  }
}

async function* readBody(
  incoming: IncomingMessage,
  { signal, label, idleTimeoutMs }: Pick<PostOptions, "signal" | "label" | "idleTimeoutMs">,
  stop: (error?: ModelError) => void,
): AsyncGenerator<Uint8Array> {
  const chunks = (await decompressed(incoming))[Symbol.asyncIterator]();
  try {
    for (;;) {
      // Only the server's silence counts, not the time that the reader takes.
      const idle = setTimeout(() => stop(silentError(label, idleTimeoutMs)), idleTimeoutMs);
      const next = await chunks.next().finally(() => clearTimeout(idle));
      if (next.done === true) return;
      yield next.value as Uint8Array;
    }
  } catch (error) {
    if (signal.aborted) throw abortedError();
    if (error instanceof ModelError) throw error;
    throw new ModelError("broken_stream", `${label}: the connection broke before the answer was complete (${reason(error)})`);
  } finally {
    await chunks.return?.();
  }
}

/** We ask for no compression, but a gateway may not care. */
async function decompressed(incoming: IncomingMessage): Promise<AsyncIterable<unknown>> {
  const encoding = incoming.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return incoming.iterator({ destroyOnReturn: false });
  const { createBrotliDecompress, createUnzip } = await import("node:zlib");
  const { pipeline } = await import("node:stream");
  // An error of either reaches whoever reads.
  return pipeline(incoming, encoding === "br" ? createBrotliDecompress() : createUnzip(), () => {});
}

export const abortedError = (): ModelError => new PermanentModelError("aborted", "the request was cancelled");

const silentError = (label: string, ms: number): ModelError =>
  new ModelError("network", `${label} sent nothing for ${ms / 1000} s (YUME_IDLE_TIMEOUT_MS sets how long we wait)`);

function parseUrl(text: string, label: string): URL {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new PermanentModelError(
    "bad_request",
    `${label}: ${text} is no address that begins with http:// or https://; check the API base`,
  );
}

const tlsCodes = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|EPROTO/;

function connectionError(error: Error, url: URL, label: string): ModelError {
  if (error instanceof ModelError) return error;
  const code = "code" in error ? String(error.code) : "";
  const where = `${label} at ${url.host}`;
  if (tlsCodes.test(code) || tlsCodes.test(error.message))
    return new PermanentModelError(
      "network",
      `${where}: no trusted TLS connection (${reason(error)}). If a proxy or a private authority signs it, set NODE_EXTRA_CA_CERTS to its certificate.`,
    );
  if (code === "ENOTFOUND") return new PermanentModelError("network", `${where}: no such host (${code}); check the API base`);
  if (code.startsWith("ERR_PROXY") || /proxy/i.test(error.message))
    return new ModelError(
      "network",
      `${where}: the proxy refused (${reason(error)}); check HTTPS_PROXY, HTTP_PROXY and NO_PROXY`,
    );
  if (code === "ECONNREFUSED")
    return new ModelError("network", `${where}: nobody listens there (${code}); is the server running?`);
  return new ModelError("network", `${where}: ${reason(error)}`);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const first = error instanceof AggregateError ? error.errors[0] : undefined;
  const code = "code" in error ? String(error.code) : "";
  const message = error.message || (first instanceof Error ? first.message : "");
  return code !== "" && !message.includes(code) ? `${code} ${message}`.trim() : message;
}

/** `import` would read every export of the module, and some of them load the whole of fetch. */
const plainHttp = () => process.getBuiltinModule("node:http");
