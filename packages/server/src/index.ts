// The front desk: one process that serves the API, the live streams and the page over one engine.
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { Classifier, HapEngine, resolveDatabase, resolveDbPath } from "@hap/core";
import { HapError } from "@hap/protocol";
import { allOperations } from "./api/entries.ts";
import { pageHandlers } from "./api/handlers/at-page.ts";
import { credentialHandlers } from "./api/handlers/credentials.ts";
import { identityHandlers } from "./api/handlers/identity.ts";
import { outboundHandlers } from "./api/handlers/outbound.ts";
import { ticketHandlers } from "./api/handlers/tickets.ts";
import { buildApp } from "./app.ts";
import { GithubProvider } from "./auth/github.ts";
import { OidcProvider } from "./auth/oidc.ts";
import { OpenCalls } from "./auth/open-calls.ts";
import type { IdentityProvider } from "./auth/provider.ts";
import { RateLimit } from "./auth/rate-limit.ts";
import { addSignInPages } from "./auth/sign-in-pages.ts";
import { SignInThrough } from "./auth/sign-in-through.ts";
import { acceptSockets } from "./live/accept.ts";
import { followLog } from "./live/follow-log.ts";
import { Hub } from "./live/hub.ts";
import { mcpHandler } from "./mcp.ts";
import { addMetricsPage, startObserving } from "./observe/observe.ts";
import { openapi } from "./openapi.ts";
import { checkOptions, isLoopback, ownHosts, type ServeOptions } from "./options.ts";
import { pageFile, pageInFolder } from "./page.ts";
import { json } from "./problem.ts";
import { PushCaller } from "./push/caller.ts";
import { Readiness } from "./readiness.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";
import { readTrustFacts, trustInForce } from "./trust.ts";
import { LogVerifier } from "./verify-log.ts";
import { WEBHOOK_TIMEOUT_MS, WebhookDispatcher } from "./webhooks/dispatcher.ts";

export { readLogLevel } from "./observe/log.ts";
export type { AppDoor, GithubOptions, OidcOptions, ServeOptions } from "./options.ts";
export { makePushKeys, type PushKeys, pushKeysPath, readPushKeys } from "./push/keys.ts";

/** A server that runs. */
export type RunningServer = {
  /** The address to open. */
  url: string;
  /** The port that it listens on; 0 on a socket. */
  port: number;
  engine: HapEngine;
  /** Let requests finish, end the streams, close the store. */
  close: () => Promise<void>;
};

export const DEFAULT_PORT = 4747;
const VERSION = "0.2.0";
/** How long a connection may lie idle: longer than clients and proxies keep theirs, so that it is they who close it. */
const IDLE_MS = 65_000;
/** How long requests may go on after the server was told to stop. */
const DRAIN_MS = 5_000;

/** Start a server. */
export async function serve(options: ServeOptions = {}): Promise<RunningServer> {
  checkOptions(options);
  const home = options.home ?? homedir();
  const database = options.database ?? resolveDatabase({ dbPath: options.dbPath });
  // Whoever runs as this server's user reads its address and password: that user stands for the owner of a file.
  const place = database === null ? resolveDbPath(options.dbPath, home) : null;
  const facts = options.trustFacts ?? readTrustFacts(place, options);
  const engine = await HapEngine.open({
    dbPath: options.dbPath,
    home: options.home,
    world: options.world,
    humanId: options.humanId,
    trust: trustInForce(options.trust, facts),
    store: database === null ? undefined : async () => (await import("@hap/core/postgres")).openPostgres(database),
  });
  const classifier = new Classifier();
  engine.classifyWith((at, agent) => classifier.find(at, agent));
  try {
    const running = await listen(engine, options);
    return { ...running, close: () => running.close().finally(() => classifier.close()) };
  } catch (error) {
    classifier.close();
    engine.dispose();
    throw error;
  }
}

async function listen(engine: HapEngine, options: ServeOptions): Promise<RunningServer> {
  const tls = options.tls !== undefined;
  const stopping = new AbortController();
  const hub = new Hub(engine);
  const calls = new OpenCalls(engine);
  const attempts = new RateLimit(10, 6_000, options.world?.now ?? Date.now);
  const through = new SignInThrough(engine, providers(options), options.world?.now ?? Date.now);
  const place = { hosts: new Set<string>(), origins: new Set<string>(), url: "" };
  const observing = await startObserving({
    engine,
    listeners: () => hub.listeners,
    options,
    version: VERSION,
  });
  const allowPrivate = options.allowPrivateWebhooks === true;
  const signIn = { secure: tls, attempts, through };
  const handlers = {
    ...ticketHandlers(hub),
    ...pageHandlers,
    ...identityHandlers(signIn),
    ...credentialHandlers({ ...signIn, origins: () => place.origins }),
    ...outboundHandlers({
      allowPrivateWebhooks: allowPrivate,
      wake: () => dispatcher.wake(),
      publicKey: options.pushKeys?.publicKey ?? null,
      allowPrivatePush: options.allowPrivatePush === true,
    }),
  };
  const document = JSON.stringify(openapi(allOperations, VERSION));
  const readiness = new Readiness(engine, stopping.signal);
  const listener = buildApp({
    engine,
    handlers,
    calls,
    hosts: () => place.hosts,
    origins: () => place.origins,
    tls,
    appSecret: options.app?.secret,
    attempts,
    stopping: stopping.signal,
    onError: observing.onError,
    around: observing.around,
    extra: (hono) => {
      if (options.app !== undefined) return;
      hono.get("/openapi.json", () => new Response(document, { headers: { "content-type": "application/json" } }));
      hono.get("/healthz", () => json({ status: "ok" }));
      hono.get("/readyz", () => readiness.answer());
      addMetricsPage(hono, observing.metrics, options.metricsToken, attempts);
      const mcp = mcpHandler({
        engine,
        calls,
        tls,
        attempts,
        origins: () => place.origins,
        url: () => place.url,
        onError: (error) => process.stderr.write(`hap serve: /mcp: ${error instanceof Error ? error.message : String(error)}\n`),
      });
      hono.all("/mcp", (c) => mcp(c.req.raw, c.env?.incoming?.socket.remoteAddress ?? null));
      addSignInPages(hono, { engine, through, secure: tls, publicOrigin: () => place.url });
      const page = options.readPage ?? (options.pageFolder === undefined ? undefined : pageInFolder(options.pageFolder));
      if (page !== undefined)
        hono.get("*", async (c, next) => {
          const { pathname } = new URL(c.req.url);
          return (await pageFile(page, pathname, c.req.header("accept-encoding"))) ?? next();
        });
    },
  });
  const server = (
    options.tls === undefined
      ? createHttpServer(listener)
      : createHttpsServer({ cert: options.tls.cert, key: options.tls.key, minVersion: "TLSv1.3" }, listener)
  ) as Server;
  server.keepAliveTimeout = IDLE_MS;
  refuseUnreadable(server);
  // The desktop app has no use for them: it follows the log over Server-Sent Events.
  if (options.app === undefined)
    acceptSockets(server, {
      engine,
      hub,
      calls,
      tls,
      place,
      attempts,
      around: observing.around,
      onError: observing.onError,
    });
  await started(server, options);
  const port = options.app === undefined ? (server.address() as AddressInfo).port : 0;
  const host = options.host ?? "127.0.0.1";
  const scheme = tls ? "https" : "http";
  place.hosts = ownHosts(options, port);
  place.origins = new Set([...place.hosts].map((name) => `${scheme}://${name}`));
  if (options.publicUrl !== undefined) place.origins.add(new URL(options.publicUrl).origin);
  const shown = isLoopback(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const own = options.app === undefined ? `${scheme}://${shown}:${port}` : `${scheme}://${[...place.hosts][0]}`;
  place.url = (options.publicUrl ?? own).replace(/\/$/, "");
  const dispatcher = new WebhookDispatcher({
    engine,
    allowPrivate,
    log: observing.log,
    version: VERSION,
    now: options.world?.now ?? Date.now,
    link: (ticketId) => (options.app === undefined ? `${place.url}/tickets/${ticketId}` : `hap://ticket/${ticketId}`),
    tried: observing.metrics.tried,
    timeoutMs: options.webhookTimeoutMs,
  });
  const verifier = new LogVerifier({
    engine,
    allowPrivate,
    log: observing.log,
    version: VERSION,
    now: options.world?.now ?? Date.now,
    verified: observing.metrics.verified,
    timeoutMs: options.webhookTimeoutMs ?? WEBHOOK_TIMEOUT_MS,
    tailMs: options.verifyTailMs,
    wholeMs: options.verifyEveryMs,
  });
  const { pushKeys: keys, allowPrivatePush = false } = options;
  const caller = keys === undefined ? null : new PushCaller({ engine, keys, allowPrivate: allowPrivatePush, log: observing.log });
  const wakes = [() => dispatcher.wake(), () => caller?.wake()];
  const stopFollowing = followLog(engine, observing.metrics.count, wakes, observing.onError);
  return {
    url: place.url,
    port,
    engine,
    close: () =>
      stop(server, hub, engine, stopping, async () => {
        stopFollowing();
        calls.close();
        await verifier.stop();
        await dispatcher.stop();
        await caller?.stop();
        await observing.stop();
      }),
  };
}

function providers({ oidc, github }: ServeOptions): Map<string, IdentityProvider> {
  const known = new Map<string, IdentityProvider>();
  if (oidc !== undefined) known.set("oidc", new OidcProvider(oidc));
  if (github !== undefined) known.set("github", new GithubProvider(github));
  return known;
}

async function started(server: Server, { host = "127.0.0.1", port = DEFAULT_PORT, app }: ServeOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") return reject(error);
      reject(
        new HapError(
          "invalid_input",
          app === undefined
            ? `Port ${port} of ${host} is taken. Is HAP running already? Else choose another with --port.`
            : `${app.socket} is taken by another process.`,
          { field: "port", port },
        ),
      );
    });
    if (app === undefined) server.listen(port, host, resolve);
    // Its folder is private already; the socket's own mode says so once more.
    else server.listen({ path: app.socket, readableAll: false, writableAll: false }, resolve);
  });
}

async function stop(
  server: Server,
  hub: Hub,
  engine: HapEngine,
  stopping: AbortController,
  stopParts: () => Promise<void>,
): Promise<void> {
  if (stopping.signal.aborted) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const why = new Error("the server is stopping");
  stopping.abort(why);
  engine.endWaits(why);
  await hub.close();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(late);
  await stopParts();
  engine.dispose();
}
