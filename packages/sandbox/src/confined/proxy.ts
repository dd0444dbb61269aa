// The one way out of a session's network namespace: an HTTP proxy (CONNECT, and plain HTTP) to named hosts. Names are resolved
// here, once, and addresses of this machine are never connected to.
import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import { type HostRule, isAllowedHost, isThisMachine } from "./allowed-hosts.ts";
import { readServerName } from "./server-name.ts";

/** What a proxy may be asked for and what it tells. */
export type ProxyOptions = { rules: readonly HostRule[]; refused: (host: string) => void };

/** Longer than any ClientHello. */
const LONGEST_HELLO = 64 * 1024;
const CONNECT_MS = 30_000;

/** A proxy without a listener: connections are given to it. */
export function makeProxy(options: ProxyOptions): Server {
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing, options));
  server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(incoming, client, head, options));
  server.on("clientError", (_error, socket) => socket.destroy());
  return server;
}

async function tunnel({ url = "" }: IncomingMessage, client: Duplex, head: Buffer, options: ProxyOptions): Promise<void> {
  client.on("error", () => client.destroy());
  const [, host = "", port = "0"] = /^\[?([^\]]*?)\]?:([0-9]{1,5})$/.exec(url) ?? [];
  const address = await reach(host, Number(port), options);
  if (address === null) return refuse(client, host || url, options);
  // A tunnel for plain HTTP would carry a `Host` of the client's choice to an address that many hosts share.
  if (Number(port) === 80) return serveTunnel(client, head, host, options);
  const upstream = connect({ host: address, port: Number(port), timeout: CONNECT_MS });
  upstream.on("error", () => client.destroy());
  client.on("close", () => upstream.destroy());
  upstream.once("connect", () => {
    upstream.setTimeout(0);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    checkHello(client, upstream, head, host, options);
  });
}

/** Read the tunnel's requests, and forward each to the host that the tunnel was opened to. */
function serveTunnel(client: Duplex, head: Buffer, host: string, options: ProxyOptions): void {
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing, options, `http://${host}`));
  server.on("clientError", (_error, socket) => socket.destroy());
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) client.unshift(head);
  server.emit("connection", client);
}

/** Forward nothing before the client has asked for the very host that it named. */
function checkHello(client: Duplex, upstream: Socket, head: Buffer, host: string, { refused }: ProxyOptions): void {
  let seen = head;
  const look = () => {
    const name = readServerName(seen);
    if (name === "more" && seen.length < LONGEST_HELLO) return;
    client.off("data", more);
    client.pause();
    if (name === host.toLowerCase().replace(/\.$/, "")) return join(client, upstream, seen);
    refused(`${host} (TLS asked for ${name === null || name === "more" ? "no name" : name})`);
    client.destroy();
  };
  const more = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    look();
  };
  client.on("data", more);
  look();
}

function join(client: Duplex, upstream: Socket, head: Buffer): void {
  upstream.write(head);
  upstream.on("close", () => client.destroy());
  client.pipe(upstream);
  upstream.pipe(client);
}

/** Plain HTTP, for registries that offer no TLS. `base`: the host of a tunnel, whose requests name only a path. */
async function forward(incoming: IncomingMessage, outgoing: ServerResponse, options: ProxyOptions, base?: string): Promise<void> {
  const url = URL.canParse(incoming.url ?? "", base) ? new URL(incoming.url ?? "", base) : null;
  const host = url?.hostname ?? "";
  const port = Number(url?.port || 80);
  const address = url?.protocol === "http:" ? await reach(host, port, options) : null;
  if (url === null || address === null) {
    options.refused(host || "an address that is no URL");
    outgoing.writeHead(403, { "content-type": "text/plain", "x-hap": "refused" }).end(words(host));
    return;
  }
  const { "proxy-connection": _hop, "proxy-authorization": _key, ...headers } = incoming.headers;
  const path = `${url.pathname}${url.search}`;
  const sent = request(
    { host: address, port, method: incoming.method, path, headers: { ...headers, host: url.host } },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  sent.on("error", () => outgoing.destroy());
  incoming.pipe(sent);
}

/** The address to connect to, or null when the host may not be reached. */
async function reach(host: string, port: number, { rules }: ProxyOptions): Promise<string | null> {
  if (!isAllowedHost(host, port, rules)) return null;
  const found = await lookup(host, { all: true }).catch(() => []);
  const own = new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)));
  if (found.some(({ address }) => isThisMachine(address) || own.has(address))) return null;
  return found[0]?.address ?? null;
}

function refuse(client: Duplex, host: string, { refused }: ProxyOptions): void {
  refused(host);
  const body = words(host);
  client.end(
    `HTTP/1.1 403 Forbidden\r\nx-hap: refused\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function words(host: string): string {
  return `HAP: ${host} cannot be reached from a confined command. Ask for the command outside.\n`;
}
