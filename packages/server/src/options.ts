// How a server is started, and what follows from it: its origins, and whom it believes.
import type { HapEngineOptions } from "@hap/core";
import { HapError, type TrustClass } from "@hap/protocol";
import type { LogLevel } from "./observe/log.ts";
import type { ReadPage } from "./page.ts";
import type { PushKeys } from "./push/keys.ts";
import type { TrustFacts } from "./trust.ts";

/** An OpenID Connect provider. */
export type OidcOptions = {
  issuer: string;
  clientId: string;
  clientSecret?: string | undefined;
  /** Make a person of whoever the provider lets in, named after this claim; without it, only linked accounts come in. */
  claim?: string | undefined;
};

/** Sign-in through GitHub; the addresses are those of github.com unless they say otherwise. */
export type GithubOptions = {
  clientId: string;
  clientSecret: string;
  site?: string | undefined;
  api?: string | undefined;
};

/** The desktop app's way in. */
export type AppDoor = { socket: string; secret: string };

/** Everything has a default: loopback, the embedded store, no provider. */
export type ServeOptions = Pick<HapEngineOptions, "dbPath" | "home" | "world" | "humanId"> & {
  /** A PostgreSQL in place of a file, and the space that has the root of the address. Default HAP_DATABASE_URL and HAP_SPACE. */
  database?: { url: string; space: string; directUrl?: string } | undefined;
  /** How many other spaces of the database may be open at a time. */
  mostSpaces?: number | undefined;
  host?: string | undefined;
  port?: number | undefined;
  tls?: { cert: string; key: string } | undefined;
  /** Plain HTTP on an address that others reach; only behind something that adds TLS. */
  allowPlainHttp?: boolean | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[] | undefined;
  /** How long to go on serving after `close`, while /readyz says `stopping`: balancers need that time to notice. */
  drainMs?: number | undefined;
  /** The address that people use, when it is not the one that the server listens on. */
  publicUrl?: string | undefined;
  /** The class that must hold at least; a server that is weaker does not start. It is derived otherwise (D1). */
  trust?: TrustClass | undefined;
  /** What the class is derived from; given by tests. */
  trustFacts?: TrustFacts | undefined;
  oidc?: OidcOptions | undefined;
  github?: GithubOptions | undefined;
  /** An OTLP collector to send traces to over HTTP. */
  otlp?: string | undefined;
  /** The least level of lines in the log; standard error gets them unless `logLine` does. */
  logLevel?: LogLevel | undefined;
  logLine?: ((line: string) => void) | undefined;
  /** What readers of the metrics must send; without it only this machine reads them. */
  metricsToken?: string | undefined;
  /** Let webhooks reach addresses that are not public, and plain HTTP. */
  allowPrivateWebhooks?: boolean | undefined;
  /** How long a webhook may take to answer. */
  webhookTimeoutMs?: number | undefined;
  /** By which push services know this server; without them browsers are not called. */
  pushKeys?: PushKeys | undefined;
  /** Let calls to browsers reach push services at addresses that are not public. */
  allowPrivatePush?: boolean | undefined;
  /** How often the whole log is verified in the background, and how often what is new: an hour and a minute. */
  verifyEveryMs?: number | undefined;
  verifyTailMs?: number | undefined;
  /** Serve one desktop app and nobody else: on a private socket, to whoever knows the secret, as the person of this account. */
  app?: AppDoor | undefined;
  /** The folder of the built page. */
  pageFolder?: string | undefined;
  /** Reads the page from elsewhere than a folder; wins over `pageFolder`. */
  readPage?: ReadPage | undefined;
  /** The folder of the built documentation site, served below `/docs`; without it `/docs` is the API reference alone. */
  docsFolder?: string | undefined;
};

/** How the desktop app names the server on its socket. */
const APP_HOST = "hap.app";

const loopback = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|localhost)$/;

/** True for addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** Refuse what would send decisions over an open wire. */
export function checkOptions(options: ServeOptions): void {
  const host = options.host ?? "127.0.0.1";
  if (options.tls !== undefined || options.allowPlainHttp === true || isLoopback(host)) return;
  throw new HapError(
    "invalid_input",
    `Plain HTTP on ${host} would send keys and decisions over an open wire. Give --tls-cert and --tls-key, or --allow-plain-http behind a proxy that adds TLS.`,
    { field: "host" },
  );
}

/** The names by which this server may be called, with port: anything else is a page that was rebound to us (DNS). */
export function ownHosts(options: ServeOptions, port: number): Set<string> {
  if (options.app !== undefined) return new Set([APP_HOST]);
  const host = options.host ?? "127.0.0.1";
  const names = [host.includes(":") ? `[${host}]` : host];
  // A server on every address is also called from its own machine: health checks, published ports.
  if (isLoopback(host) || host === "0.0.0.0" || host === "::") names.push("localhost", "127.0.0.1", "[::1]", "hap.localhost");
  const hosts = new Set(names.flatMap((name) => [`${name}:${port}`, ...(isDefaultPort(options, port) ? [name] : [])]));
  if (options.publicUrl !== undefined) hosts.add(new URL(options.publicUrl).host);
  return hosts;
}

function isDefaultPort({ tls }: ServeOptions, port: number): boolean {
  return port === (tls === undefined ? 80 : 443);
}
