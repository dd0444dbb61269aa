// The front desk: one process that serves the API, the live streams and the page of its own space and of others in its database.
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { Classifier, HapEngine, resolveDatabase, resolveDbPath } from "@hap/core";
import type { Durability } from "@hap/core/postgres";
import { HapError } from "@hap/protocol";
import { GithubProvider } from "./auth/github.ts";
import { OidcProvider } from "./auth/oidc.ts";
import type { IdentityProvider } from "./auth/provider.ts";
import { RateLimit } from "./auth/rate-limit.ts";
import { noteClient, readProxies } from "./client-address.ts";
import { startObserving } from "./observe/observe.ts";
import { checkOptions, isLoopback, ownHosts, type ServeOptions } from "./options.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";
import { MOST_SPACES, OpenSpaces, type SpaceSource } from "./spaces/open-spaces.ts";
import { routeSpaces } from "./spaces/route-spaces.ts";
import { openSpaceFront, type ServerParts, type SpaceFront } from "./spaces/space-front.ts";
import { readTrustFacts, trustInForce } from "./trust.ts";

export { readLogLevel } from "./observe/log.ts";
export type { AppDoor, GithubOptions, OidcOptions, ServeOptions } from "./options.ts";
export { makePushKeys, type PushKeys, pushKeysPath, readPushKeys } from "./push/keys.ts";

/** A server that runs. */
export type RunningServer = {
  /** The address to open. */
  url: string;
  /** The port that it listens on; 0 on a socket. */
  port: number;
  /** The engine of the server's own space. */
  engine: HapEngine;
  /** What the database promises about acknowledged writes; null for a file, which survives a crash. */
  durability: Durability | null;
  /** Drain, let requests finish, end the streams, close the store. A second call ends the draining. */
  close: () => Promise<void>;
};

export const DEFAULT_PORT = 4747;
const VERSION = "0.2.0";
/** How long a connection may lie idle: longer than clients and proxies keep theirs, so that it is they who close it. */
const IDLE_MS = 65_000;
/** How long requests may go on once the server takes no more connections. */
const FINISH_MS = 5_000;

/** Start a server. */
export async function serve(options: ServeOptions = {}): Promise<RunningServer> {
  checkOptions(options);
  const home = options.home ?? homedir();
  const database = options.database ?? resolveDatabase({ dbPath: options.dbPath });
  // Whoever runs as this server's user reads its address and password: that user stands for the owner of a file.
  const place = database === null ? resolveDbPath(options.dbPath, home) : null;
  const facts = options.trustFacts ?? readTrustFacts(place, options);
  const common = {
    home: options.home,
    world: options.world,
    humanId: options.humanId,
    trust: trustInForce(options.trust, facts),
  };
  const node = database === null ? null : await openNode(database);
  const classifier = new Classifier();
  const open = (space: string | null) => {
    const engine = new HapEngine({ dbPath: options.dbPath, ...common, store: space === null ? undefined : node?.store(space) });
    engine.classifyWith((at, agent) => classifier.find(at, agent));
    return engine;
  };
  const close = () => {
    classifier.close();
    node?.close();
  };
  let engine: HapEngine | null = null;
  try {
    engine = open(database?.space ?? null);
    const source = node === null ? null : { has: (space: string) => node.has(space), due: () => node.due(), open };
    const running = await listen(engine, options, database === null || source === null ? null : { ...database, source });
    const durability = node === null ? null : await node.durability();
    return { ...running, durability, close: () => running.close().finally(close) };
  } catch (error) {
    engine?.dispose();
    close();
    throw error;
  }
}

/** A database, the space that is the server's own, and the way to the others. */
type Database = { space: string; source: SpaceSource };

/** Connect to the database; the server's own space is created if it is not there. */
async function openNode({ space, ...options }: { url: string; space: string; directUrl?: string }) {
  const { PgNode } = await import("@hap/core/postgres");
  return PgNode.open(options, space);
}

async function listen(
  engine: HapEngine,
  options: ServeOptions,
  database: Database | null,
): Promise<Omit<RunningServer, "durability">> {
  const tls = options.tls !== undefined;
  const leaving = new AbortController();
  const hurry = new AbortController();
  const stopping = new AbortController();
  const proxies = readProxies(options.trustedProxies ?? []);
  const now = options.world?.now ?? Date.now;
  const attempts = new RateLimit(10, 6_000, now);
  const place = { hosts: new Set<string>(), origins: new Set<string>(), url: "" };
  let home: SpaceFront | null = null;
  const observing = await startObserving({ engine, listeners: () => home?.hub.listeners ?? 0, options, version: VERSION });
  const parts: ServerParts = {
    options,
    version: VERSION,
    place,
    attempts,
    providers: providers(options),
    observing,
    leaving: leaving.signal,
    stopping: stopping.signal,
    now,
  };
  const front = openSpaceFront(engine, null, parts);
  home = front;
  const spaces =
    database === null
      ? null
      : new OpenSpaces({
          home: { space: database.space, front },
          source: database.source,
          make: (other, space) => openSpaceFront(other, space, parts),
          most: options.mostSpaces ?? MOST_SPACES,
          onError: observing.onError,
        });
  const routed = routeSpaces({ home: front, spaces, attempts, tls, onError: observing.onError });
  const listener: typeof routed.listener = (incoming, outgoing) => {
    noteClient(incoming, proxies);
    routed.listener(incoming, outgoing);
  };
  const upgrade: typeof routed.upgrade = (incoming, stream, head) => {
    noteClient(incoming, proxies);
    routed.upgrade(incoming, stream, head);
  };
  const server = (
    options.tls === undefined
      ? createHttpServer(listener)
      : createHttpsServer({ cert: options.tls.cert, key: options.tls.key, minVersion: "TLSv1.3" }, listener)
  ) as Server;
  server.keepAliveTimeout = IDLE_MS;
  refuseUnreadable(server);
  // The desktop app has no use for them: it follows the log over Server-Sent Events.
  if (options.app === undefined) server.on("upgrade", upgrade);
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
  front.start();
  return {
    url: place.url,
    port,
    engine,
    close: async () => {
      await drain(options.drainMs ?? 0, leaving, hurry);
      await stop(server, stopping, {
        letGo: async (why) => {
          await front.letGo(why);
          await spaces?.letGo(why);
        },
        end: async () => {
          await spaces?.stop();
          await front.stop();
          await observing.stop();
        },
      });
    },
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

/** Go on serving for a while, so that balancers notice first. A second call ends the first one's wait. */
async function drain(ms: number, leaving: AbortController, hurry: AbortController): Promise<void> {
  if (leaving.signal.aborted) return hurry.abort();
  leaving.abort();
  if (ms === 0) return;
  await pause(ms, undefined, { signal: hurry.signal }).catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
  });
}

async function stop(
  server: Server,
  stopping: AbortController,
  parts: { letGo: (why: Error) => Promise<void>; end: () => Promise<void> },
): Promise<void> {
  if (stopping.signal.aborted) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const why = new Error("the server is stopping");
  stopping.abort(why);
  await parts.letGo(why);
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), FINISH_MS);
  await closed;
  clearTimeout(late);
  await parts.end();
}
