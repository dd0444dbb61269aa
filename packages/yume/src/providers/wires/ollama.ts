// Ollama's own API, as a wire. The host is read as Ollama's client reads it.
import { PermanentModelError } from "../permanent-error.ts";
import type { Wire } from "../wire.ts";
import { OllamaDecoder } from "./ollama-decoder.ts";
import { ollamaBody } from "./ollama-request.ts";
import { hostOf, withoutSlash } from "./openai-access.ts";

const defaultPort = 11_434;
/** Enough for an agent's work, and still within the memory of a common machine. */
const defaultWindow = 32_768;

export function ollamaWire(env: NodeJS.ProcessEnv, apiBase: string | undefined): Wire {
  const base = apiBase ? withoutSlash(apiBase) : ollamaHost(env.OLLAMA_HOST);
  const key = env.OLLAMA_API_KEY || null;
  const window = Number(env.OLLAMA_CONTEXT_LENGTH) || defaultWindow;
  return {
    label: `Ollama at ${hostOf(base)}`,
    framing: "ndjson",
    authHint: "Set OLLAMA_API_KEY to a valid key, or OLLAMA_HOST to your own server.",
    call: (request) => ({
      url: `${base}/api/chat`,
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      secrets: key === null ? [] : [key],
      body: ollamaBody(request, window),
    }),
    decoder: (request) => new OllamaDecoder(request),
  };
}

/** `host`, `host:port`, `:port` or a URL; an address that means "all of them" is reached on the loopback. */
export function ollamaHost(text: string | undefined): string {
  const given = (text ?? "").trim().replace(/^["']|["']$/g, "");
  if (given === "") return `http://127.0.0.1:${defaultPort}`;
  const [, scheme, rest = given] = /^(https?):\/\/(.*)$/.exec(given) ?? [];
  const url = URL.parse(`${scheme ?? "http"}://${rest.startsWith(":") ? `127.0.0.1${rest}` : rest}`);
  if (url === null)
    throw new PermanentModelError("bad_request", `OLLAMA_HOST is ${given}, which is no host; set it like 127.0.0.1:11434`);
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  // A URL has the port of its scheme, a bare host that of Ollama.
  if (url.port === "" && scheme === undefined) url.port = String(defaultPort);
  return withoutSlash(url.href);
}
