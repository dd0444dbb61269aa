// One space as a server serves it: its engine, API, live streams, sign-ins, webhooks, push and checks of its log. Nothing in it is
// shared with another space but what `ServerParts` names.

import type { HapEngine } from "@hap/core";
import type { Listener } from "../api/api.ts";
import { allOperations } from "../api/entries.ts";
import { pageHandlers } from "../api/handlers/at-page.ts";
import { credentialHandlers } from "../api/handlers/credentials.ts";
import { identityHandlers } from "../api/handlers/identity.ts";
import { outboundHandlers } from "../api/handlers/outbound.ts";
import { ticketHandlers } from "../api/handlers/tickets.ts";
import { buildApp } from "../app.ts";
import { OpenCalls } from "../auth/open-calls.ts";
import { sessionCookie } from "../auth/principal.ts";
import type { IdentityProvider } from "../auth/provider.ts";
import type { RateLimit } from "../auth/rate-limit.ts";
import { addSignInPages } from "../auth/sign-in-pages.ts";
import { SignInThrough } from "../auth/sign-in-through.ts";
import { clientAddress } from "../client-address.ts";
import { docsPages } from "../docs/docs-page.ts";
import { acceptSockets, type Upgrade } from "../live/accept.ts";
import { followLog } from "../live/follow-log.ts";
import { Hub } from "../live/hub.ts";
import { mcpHandler } from "../mcp.ts";
import { addMetricsPage, type Observing } from "../observe/observe.ts";
import { openapi } from "../openapi.ts";
import type { ServeOptions } from "../options.ts";
import { pageFile, pageInFolder } from "../page.ts";
import { json } from "../problem.ts";
import { PushCaller } from "../push/caller.ts";
import { Readiness } from "../readiness.ts";
import { LogVerifier } from "../verify-log.ts";
import { WEBHOOK_TIMEOUT_MS, WebhookDispatcher } from "../webhooks/dispatcher.ts";
import { limitRequests } from "./limit-requests.ts";

/** What the spaces of a server share. */
export type ServerParts = {
  options: ServeOptions;
  version: string;
  /** The names and origins by which the server is called, and its address; known once it listens. */
  place: { hosts: Set<string>; origins: Set<string>; url: string };
  attempts: RateLimit;
  providers: ReadonlyMap<string, IdentityProvider>;
  observing: Observing;
  /** Aborts when the server is told to stop: from then on it is not ready. */
  leaving: AbortSignal;
  /** Aborts when it takes no more requests. */
  stopping: AbortSignal;
  now: () => number;
};

/** A space that is open on this server. */
export type SpaceFront = {
  engine: HapEngine;
  hub: Hub;
  listener: Listener;
  upgrade: Upgrade;
  /** Begin what runs without being asked: webhooks, push, checks of the log. */
  start: () => void;
  /** True while the space has something to do here: deliveries that wait. */
  hasWork: () => boolean;
  /** End waits and streams, with this reason. */
  letGo: (why: Error) => Promise<void>;
  /** Stop all of it and close the store. */
  stop: () => Promise<void>;
};

/** Serve a space; `name` is null for the server's own, which has the root of the address. */
export function openSpaceFront(engine: HapEngine, name: string | null, parts: ServerParts): SpaceFront {
  const { options, version, place, attempts, observing, now } = parts;
  const base = name === null ? "" : `/s/${name}`;
  const tls = options.tls !== undefined;
  const cookie = sessionCookie(name, tls);
  const hub = new Hub(engine);
  const calls = new OpenCalls(engine);
  const through = new SignInThrough(engine, { providers: parts.providers, space: name, now });
  const allowPrivate = options.allowPrivateWebhooks === true;
  const signIn = { session: cookie, attempts, through };
  const background: { dispatcher?: WebhookDispatcher; stop: (() => Promise<void> | void)[] } = { stop: [] };
  const handlers = {
    ...ticketHandlers(hub),
    ...pageHandlers,
    ...identityHandlers(signIn),
    ...credentialHandlers({ ...signIn, origins: () => place.origins }),
    ...outboundHandlers({
      allowPrivateWebhooks: allowPrivate,
      wake: () => background.dispatcher?.wake(),
      publicKey: options.pushKeys?.publicKey ?? null,
      allowPrivatePush: options.allowPrivatePush === true,
    }),
  };
  const url = () => place.url + base;
  const listener = buildApp({
    engine,
    handlers,
    calls,
    base,
    cookie,
    hosts: () => place.hosts,
    origins: () => place.origins,
    tls,
    appSecret: options.app?.secret,
    attempts,
    stopping: parts.stopping,
    onError: observing.onError,
    around: observing.around,
    extra: (hono) => {
      if (options.app !== undefined) return;
      if (name === null) addServerPages(hono, engine, parts);
      const mcp = mcpHandler({
        engine,
        calls,
        cookie,
        attempts,
        origins: () => place.origins,
        url,
        onError: (error) => process.stderr.write(`hap serve: /mcp: ${error instanceof Error ? error.message : String(error)}\n`),
      });
      hono.all("/mcp", (c) => mcp(c.req.raw, c.env?.incoming === undefined ? null : clientAddress(c.env.incoming)));
      addSignInPages(hono, { engine, through, session: cookie, base, publicOrigin: () => place.url });
      const page = options.readPage ?? (options.pageFolder === undefined ? undefined : pageInFolder(options.pageFolder));
      if (page !== undefined)
        hono.get("*", async (c, next) => {
          const { pathname } = new URL(c.req.url);
          return (await pageFile(page, pathname, c.req.header("accept-encoding"))) ?? next();
        });
    },
  });
  const sockets = acceptSockets({
    engine,
    hub,
    calls,
    cookie,
    place,
    attempts,
    around: observing.around,
    onError: observing.onError,
  });

  function start(): void {
    const common = { engine, allowPrivate, log: observing.log, version, now };
    const dispatcher = new WebhookDispatcher({
      ...common,
      link: (ticketId) => (options.app === undefined ? `${url()}/tickets/${ticketId}` : `hap://ticket/${ticketId}`),
      tried: observing.metrics.tried,
      timeoutMs: options.webhookTimeoutMs,
    });
    background.dispatcher = dispatcher;
    const verifier = new LogVerifier({
      ...common,
      verified: observing.metrics.verified,
      timeoutMs: options.webhookTimeoutMs ?? WEBHOOK_TIMEOUT_MS,
      tailMs: options.verifyTailMs,
      wholeMs: options.verifyEveryMs,
    });
    const { pushKeys: keys, allowPrivatePush = false } = options;
    const caller =
      keys === undefined ? null : new PushCaller({ engine, keys, allowPrivate: allowPrivatePush, log: observing.log, base });
    const wakes = [() => dispatcher.wake(), () => caller?.wake()];
    const stopFollowing = followLog(engine, (events) => observing.metrics.count(engine, events), wakes, observing.onError);
    background.stop = [stopFollowing, () => calls.close(), () => verifier.stop(), () => dispatcher.stop(), () => caller?.stop()];
  }

  return {
    engine,
    hub,
    listener: options.app === undefined ? limitRequests(engine, listener, { tls, now }) : listener,
    upgrade: sockets.upgrade,
    start,
    hasWork: () => engine.countDeliveries().waiting > 0,
    letGo: async (why) => {
      engine.endWaits(why);
      sockets.close();
      await hub.close();
    },
    stop: async () => {
      for (const end of background.stop) await end();
      engine.dispose();
    },
  };
}

/** Pages of the server as a whole: its description, its health, its numbers. */
function addServerPages(
  hono: Parameters<Parameters<typeof buildApp>[0]["extra"]>[0],
  engine: HapEngine,
  parts: ServerParts,
): void {
  const described = openapi(allOperations, parts.version);
  const document = JSON.stringify(described);
  const { docsFolder } = parts.options;
  const docs = docsPages(described, docsFolder === undefined ? undefined : pageInFolder(docsFolder));
  const readiness = new Readiness(engine, parts.leaving);
  hono.get("/openapi.json", () => new Response(document, { headers: { "content-type": "application/json" } }));
  hono.on("GET", ["/docs", "/docs/*"], async (c) => {
    const { pathname } = new URL(c.req.url);
    return (await docs(pathname, c.req.header("accept-encoding"))) ?? c.notFound();
  });
  hono.get("/healthz", () => json({ status: "ok" }));
  hono.get("/readyz", () => readiness.answer());
  addMetricsPage(hono, parts.observing.metrics, parts.options.metricsToken, parts.attempts);
}
