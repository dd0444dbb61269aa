// The network of a process: node:http, which starts faster than fetch, with a CA of one's own and a pinned certificate.
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { urlToHttpOptions } from "node:url";
import { HapError } from "@hap/protocol";
import { problemError, type Transport, unreachable, type WireRequest, type WireResponse } from "./transport.ts";

/** Where to, with what in hand. */
export type NodeTransportOptions = {
  url: string;
  token: string | null;
  /** Whom to trust besides the system's authorities: a file of certificates. */
  caFile?: string | undefined;
  /** SHA-256 of the server's certificate, in hexadecimal: anything else is refused. */
  pin?: string | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
};

/** The trace that this process is part of (W3C Trace Context, as tools hand it on in the environment). */
function traceOf(traceparent: string | undefined): Record<string, string> {
  return traceparent !== undefined && /^[0-9a-f]{2}(-[0-9a-f]+){3}$/.test(traceparent) ? { traceparent } : {};
}

/**
 * How long a connection may lie idle. Without a limit of its own, Node's agent does not heed the server's either
 * (`Keep-Alive: timeout=`), and sends into connections that the server is just closing.
 */
const IDLE_MS = 60_000;

export class NodeTransport implements Transport {
  readonly url: string;
  /** Where requests go, taken apart once, and the path that theirs are under. */
  readonly #place: RequestOptions & { agent: Agent };
  readonly #folder: string;
  readonly #headers: Record<string, string>;
  #closed = false;

  constructor(options: NodeTransportOptions) {
    const base = readUrl(options.url);
    this.url = base.href.replace(/\/$/, "");
    const { protocol, hostname, port } = urlToHttpOptions(base);
    this.#place = { protocol, hostname, port, agent: base.protocol === "https:" ? secureAgent(options) : plainAgent(options) };
    this.#folder = base.pathname.replace(/\/$/, "");
    this.#headers = {
      ...(options.token === null ? {} : { authorization: `Bearer ${options.token}` }),
      ...traceOf(process.env.TRACEPARENT),
      ...options.headers,
    };
  }

  /** By the stream's own events: an iterator over each short answer costs as much as its parsing. */
  send(request: WireRequest): Promise<WireResponse> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(this.#failure(error, request.signal));
      this.#start(request, fail, (response) => {
        const chunks: Uint8Array[] = [];
        response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () => {
          const [only, ...more] = chunks;
          const body = only !== undefined && more.length === 0 ? only : Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, body });
        });
      });
    });
  }

  async *stream(request: WireRequest): AsyncIterable<string> {
    const response = await this.#open(request);
    response.setEncoding("utf8");
    if (response.statusCode !== 200) {
      let text = "";
      for await (const chunk of response) text += chunk;
      throw problemError(this.url, response.statusCode ?? 0, text);
    }
    try {
      for await (const chunk of response) yield chunk as string;
    } catch (error) {
      throw this.#failure(error, request.signal);
    } finally {
      response.destroy();
    }
  }

  #open(request: WireRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      this.#start(request, (error) => reject(this.#failure(error, request.signal)), resolve);
    });
  }

  #start(
    { method, path, body, headers, signal }: WireRequest,
    failed: (error: unknown) => void,
    answered: (response: IncomingMessage) => void,
  ): void {
    const text = body === undefined ? null : JSON.stringify(body);
    const send = this.#place.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(
      {
        ...this.#place,
        path: this.#folder + path,
        method,
        headers: {
          ...this.#headers,
          ...(text === null ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
          ...headers,
        },
        ...(signal === undefined ? {} : { signal }),
      },
      answered,
    );
    request.on("error", failed);
    request.end(text ?? undefined);
  }

  /** What a failure is to the caller: its own wish to stop, our end, or a server that is not there. */
  #failure(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    if (this.#closed) return new HapError("store_unusable", "This client was closed; connect another one.", { url: this.url });
    return error instanceof HapError ? error : unreachable(this.url, error);
  }

  close(): void {
    this.#closed = true;
    this.#place.agent.destroy();
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.username === "") return url;
  throw new HapError(
    "invalid_input",
    `HAP_URL is ${text.slice(0, 100)}; it must be an address such as https://hap.example.org.`,
    {
      field: "HAP_URL",
    },
  );
}

function plainAgent({ pin, caFile }: NodeTransportOptions): Agent {
  if (pin === undefined && caFile === undefined) return new Agent({ keepAlive: true, timeout: IDLE_MS });
  throw new HapError("invalid_input", "HAP_PIN_SHA256 and HAP_CA_FILE need an https address in HAP_URL.", { field: "HAP_URL" });
}

function secureAgent({ pin, caFile }: NodeTransportOptions): HttpsAgent {
  const wanted = pin === undefined ? null : readPin(pin);
  return new HttpsAgent({
    keepAlive: true,
    timeout: IDLE_MS,
    // A resumed session shows no certificate, so nothing could be pinned.
    maxCachedSessions: 0,
    minVersion: "TLSv1.3",
    ...(caFile === undefined ? {} : { ca: readCa(caFile) }),
    checkServerIdentity: (host, certificate) =>
      checkServerIdentity(host, certificate) ?? (wanted === null ? undefined : checkPin(wanted, certificate)),
  });
}

function readPin(pin: string): string {
  const hex = pin.replaceAll(":", "").toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) return hex;
  throw new HapError("invalid_input", "HAP_PIN_SHA256 must be the SHA-256 of the server's certificate: 64 hexadecimal digits.", {
    field: "HAP_PIN_SHA256",
  });
}

function checkPin(wanted: string, certificate: PeerCertificate): HapError | undefined {
  const found = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  if (found === wanted) return undefined;
  return new HapError(
    "server_unreachable",
    `The server's certificate is not the pinned one: its SHA-256 is ${found}. Somebody may be in between; if it was renewed, set HAP_PIN_SHA256 anew.`,
    { pin: wanted, found },
  );
}

function readCa(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new HapError("invalid_input", `HAP_CA_FILE ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      field: "HAP_CA_FILE",
    });
  }
}
