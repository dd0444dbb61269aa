// One page from the public internet. The address is resolved once, judged, and connected to as it was judged, so that a name
// cannot mean something else a moment later; the same for every redirect.
import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { isPublicAddress } from "@hap/sdk/public-address";
import { ToolError } from "../tool.ts";

export type Page = { url: string; status: number; type: string; body: Buffer; redirect: string | null };

const SIZE_LIMIT = 5 * 1024 * 1024;
const TIME_LIMIT_MS = 30_000;
const MOST_REDIRECTS = 5;

/** Fetch, following redirects on the same host; one to another host is returned for the model to decide. */
export async function fetchPage(given: string, allowHosts: readonly string[], signal: AbortSignal): Promise<Page> {
  let url = parseUrl(given);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const page = await fetchOnce(url, allowHosts, limit);
    if (page.redirect === null) return page;
    const next = parseUrl(new URL(page.redirect, url).href);
    if (next.host !== url.host) return { ...page, redirect: next.href };
    url = next;
  }
  throw new ToolError(`${given} redirects more than ${MOST_REDIRECTS} times.`);
}

function parseUrl(given: string): URL {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new ToolError(`"${given}" is no URL. Give one that begins with https:// or http://.`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new ToolError(`Only http and https can be fetched, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "") throw new ToolError("A URL with a user name or password in it is not fetched.");
  return url;
}

async function fetchOnce(url: URL, allowHosts: readonly string[], signal: AbortSignal): Promise<Page> {
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const allowed = allowHosts.includes(url.host) || allowHosts.includes(url.hostname);
  const addresses = await lookup(name, { all: true }).catch((error: Error) => {
    throw new ToolError(`${url.hostname} cannot be found: ${error.message}`);
  });
  const judged = allowed ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
  const [chosen] = judged;
  if (chosen === undefined || judged.length < addresses.length)
    throw new ToolError(`${url.hostname} leads to this machine or a private network, which WebFetch does not reach.`);
  const pinned: LookupFunction = (_, options, done) => {
    if (options.all === true) done(null, [chosen]);
    else done(null, chosen.address, chosen.family);
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(
    url,
    {
      lookup: pinned,
      signal,
      headers: {
        "user-agent": "yume-cli",
        accept: "text/html, text/*, application/json;q=0.9, */*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
      },
    },
    resolve,
  );
  request.on("error", reject);
  request.end();
  try {
    const response = await promise;
    const status = response.statusCode ?? 0;
    const location = status >= 300 && status < 400 ? (response.headers.location ?? null) : null;
    if (location !== null) {
      response.destroy();
      return { url: url.href, status, type: "", body: Buffer.alloc(0), redirect: location };
    }
    const body = await readBody(response);
    return { url: url.href, status, type: response.headers["content-type"] ?? "", body, redirect: null };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(`${url.href} could not be fetched: ${(error as Error).message}`);
  }
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > SIZE_LIMIT) throw new ToolError(`The page is larger than ${SIZE_LIMIT} bytes.`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const options = { maxOutputLength: SIZE_LIMIT * 4 };
  switch (response.headers["content-encoding"]) {
    case "gzip":
      return gunzipSync(body, options);
    case "deflate":
      return inflateSync(body, options);
    case "br":
      return brotliDecompressSync(body, options);
    default:
      return body;
  }
}
