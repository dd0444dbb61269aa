// hap serve: the server, on loopback and the embedded store unless told otherwise.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HapError, parseHumanId, quote, TRUST_CLASSES, type TrustClass } from "@hap/protocol";
import { type Command, Option } from "commander";
import { docsFolder, pageFolder } from "../apart/carry-out.ts";
import { APART_DEFAULTS } from "../apart/plan.ts";
import { AppParent } from "../app/app-parent.ts";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { parseNumber, parseWhole } from "../input/number.ts";
import { embeddedPage } from "../install/embedded-page.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { trustWords } from "../show/trust-words.ts";
import { noteInbox } from "../start/running-inbox.ts";
import { TerminalDevice } from "../terminal/device.ts";

type Options = {
  host?: string;
  port?: string;
  store?: string;
  appSocket?: string;
  tlsCert?: string;
  tlsKey?: string;
  allowPlainHttp?: true;
  publicUrl?: string;
  trustedProxy?: string[];
  drainSeconds?: string;
  trust?: TrustClass;
  oidcIssuer?: string;
  oidcClientId?: string;
  oidcClaim?: string;
  githubClientId?: string;
  otlp?: string;
  logLevel?: string;
  allowPrivateWebhooks?: true;
  pushKeys?: string;
  allowPrivatePush?: true;
  apart?: true;
  person?: string;
  user?: string;
  prefix?: string;
  yes?: true;
};

export function define(command: Command, context: Context): void {
  command
    .description(
      "Serve the inbox, the API and the live events. On loopback by default, with the embedded store; the page asks for a one-time code, which is shown here, on your terminal, and nowhere else.",
    )
    .option("--host <address>", "address to listen on (default 127.0.0.1)")
    .option("--port <n>", "port to listen on (default 4747; 0 = any free one)")
    .option("--store <path>", "the store (default HAP_DB_PATH, else ~/.hap/hap.db)")
    .option("--tls-cert <file>", "certificate, with its chain (PEM)")
    .option("--tls-key <file>", "its private key (PEM)")
    .option("--allow-plain-http", "plain HTTP on an address that others reach: only behind a proxy that adds TLS")
    .option("--public-url <url>", "the address that people use, when it is another")
    .option(
      "--trusted-proxy <address...>",
      "address or network of a proxy in front, whose X-Forwarded-For says who calls; failed attempts are limited per caller",
    )
    .option(
      "--drain-seconds <n>",
      "after SIGTERM, keep serving for this long while /readyz says `stopping`, so that a balancer notices first (default 0)",
    )
    .addOption(
      new Option(
        "--trust <class>",
        "do not start unless this class holds, which is derived from the store's owner, the address and TLS: open, apart, remote",
      ).choices(["open", "apart", "remote"]),
    )
    .option("--oidc-issuer <url>", "sign in through this OpenID Connect provider")
    .option("--oidc-client-id <id>", "its client id; the secret comes from HAP_OIDC_CLIENT_SECRET")
    .option(
      "--oidc-claim <name>",
      "let in everybody whom the provider lets in, named after this claim (default: linked accounts only)",
    )
    .option("--github-client-id <id>", "sign in through GitHub; the secret comes from HAP_GITHUB_CLIENT_SECRET")
    .option("--otlp <url>", "send traces to this OpenTelemetry collector over HTTP (default OTEL_EXPORTER_OTLP_ENDPOINT)")
    .option("--log-level <level>", "debug, info, warn, error or silent (default HAP_LOG, else info)")
    .option("--allow-private-webhooks", "let webhooks reach addresses that are not public, and plain HTTP")
    .option(
      "--push-keys <file>",
      "keys for calling browsers, made by `hap push keys` (default: HAP_PUSH_PRIVATE_KEY with HAP_PUSH_CONTACT, else push-keys.json beside the store)",
    )
    .option("--allow-private-push", "let those calls reach push services at addresses that are not public")
    .addOption(new Option("--app-socket <path>", "serve the desktop app that starts this; its secret comes on stdin").hideHelp())
    .option(
      "--apart",
      "set it up as a service under a user of its own, so that your agents cannot write what it keeps (Linux, root)",
    )
    .option("--person <id>", "with --apart: whose server it is, human:NAME")
    .option("--user <name>", `with --apart: the system user (default ${APART_DEFAULTS.user})`)
    .option("--prefix <folder>", "with --apart: put everything under this folder instead of /")
    .option("--yes", "with --apart: do not ask")
    .addHelpText(
      "after",
      examples(
        "sudo hap serve --apart --person human:alex",
        "hap serve",
        "HAP_DATABASE_URL=postgres://hap@db.example.org/hap hap serve",
        "hap serve --port 8443 --host 0.0.0.0 --tls-cert hap.pem --tls-key hap.key",
        "hap serve --oidc-issuer https://id.example.org --oidc-client-id hap --oidc-claim preferred_username",
      ),
    )
    .action((options: Options) => (options.apart === true ? apart(context, options) : serveUntilStopped(context, options)));
}

async function apart(context: Context, options: Options): Promise<void> {
  refuseAgent(context, "set up the server");
  const { setUpApart } = await import("../apart/set-up.ts");
  const name = options.person ?? context.env.SUDO_USER ?? "";
  if (name === "" || name === "root")
    throw new HapError("invalid_input", "Whose server is it? Give --person human:NAME.", { field: "--person" });
  const under = (path: string) => (options.prefix === undefined ? path : join(options.prefix, path));
  await setUpApart(
    context,
    {
      user: options.user ?? APART_DEFAULTS.user,
      state: under(APART_DEFAULTS.state),
      program: under(APART_DEFAULTS.program),
      units: under(APART_DEFAULTS.units),
      person: parseHumanId(name, "--person"),
      port: parseNumber(options.port, "--port", "a port number") ?? 4747,
    },
    options.yes === true,
  );
}

async function serveUntilStopped(context: Context, options: Options): Promise<void> {
  refuseAgent(context, "run the server");
  const parent = options.appSocket === undefined ? null : await AppParent.greet();
  const { pushKeysPath, readLogLevel, readPushKeys, serve } = await import("@hap/server");
  const server = await serve({
    host: options.host,
    port: parseNumber(options.port, "--port", "a port number"),
    dbPath: options.store,
    tls: readTls(options),
    allowPlainHttp: options.allowPlainHttp,
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxy,
    drainMs: options.drainSeconds === undefined ? 0 : parseWhole(options.drainSeconds, "--drain-seconds") * 1_000,
    trust: options.trust ?? readTrust(context.env.HAP_TRUST),
    oidc: readOidc(options, context.env),
    github: readGithub(options, context.env),
    otlp: readCollector(options, context.env),
    logLevel:
      options.logLevel === undefined
        ? readLogLevel(context.env.HAP_LOG || "info", "HAP_LOG")
        : readLogLevel(options.logLevel, "--log-level"),
    metricsToken: context.env.HAP_METRICS_TOKEN || undefined,
    allowPrivateWebhooks: options.allowPrivateWebhooks,
    pushKeys: readPushKeys({
      file: options.pushKeys,
      fallback: pushKeysPath({ dbPath: options.store, home: context.home }),
      env: context.env,
    }),
    allowPrivatePush: options.allowPrivatePush,
    pageFolder: pageFolder(context.env),
    docsFolder: docsFolder(),
    app: parent === null ? undefined : { socket: options.appSocket as string, secret: parent.secret },
    readPage: context.env.HAP_PAGE ? undefined : embeddedPage(),
  });
  // Listened for before the address is told: whoever reads it may stop the server at once.
  const stopped = new Promise<void>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => resolve());
    parent?.whenGone(resolve);
  });
  if (parent !== null) {
    const { path: store, trust, localPerson: person } = server.engine;
    context.out.line(JSON.stringify({ ready: true, store, trust, person }));
  } else if (context.json)
    printJson(context, {
      url: server.url,
      store: server.engine.path,
      trust: server.engine.trust,
      ...(server.durability === null ? {} : { survives: server.durability.survives }),
    });
  else {
    context.out.line(`HAP listens on ${server.url}`);
    context.out.line(`The store is ${server.engine.path}. ${trustWords(server.engine.trust)}`);
    context.out.line(`Documentation: ${server.url}/docs`);
    if (server.durability !== null) context.out.line(server.durability.words);
    tellCode(context, server);
  }
  const inFile = !server.engine.path.includes("://");
  const forget =
    parent === null && inFile ? noteInbox(server.engine.path, { url: server.url, port: server.port, pid: process.pid }) : null;
  await stopped;
  forget?.();
  await server.close();
}

function readTrust(given: string | undefined): TrustClass | undefined {
  if (!given) return undefined;
  const known = TRUST_CLASSES.find((name) => name === given);
  if (known !== undefined) return known;
  throw new HapError("invalid_input", `HAP_TRUST is ${quote(given)}; it must be ${TRUST_CLASSES.join(", ")}.`, {
    field: "HAP_TRUST",
  });
}

/** The code goes to the terminal device itself: what a pipe or a log file gets, an agent could read. */
function tellCode(
  context: Context,
  server: {
    url: string;
    engine: { issueCode: (input: { purpose: "login"; person: string }) => { code: string }; localPerson: string };
  },
): void {
  const renew = `${context.env.HAP_COMMAND || "hap"} login --code`;
  let device: TerminalDevice;
  try {
    device = new TerminalDevice("Signing in");
  } catch (error) {
    if (!(error instanceof HapError)) throw error;
    context.out.line(`To sign in, run \`${renew}\` in a terminal of this machine and type the code into the page.`);
    return;
  }
  const { code } = server.engine.issueCode({ purpose: "login", person: server.engine.localPerson });
  device.write(`Sign in as ${server.engine.localPerson} with this code (2 minutes; a new one: ${renew}):\n\n    ${code}\n\n`);
  device.close();
}

function readTls({ tlsCert, tlsKey }: Options): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new HapError("invalid_input", "--tls-cert and --tls-key belong together.", { field: "--tls-cert" });
  return { cert: readPem(tlsCert, "--tls-cert"), key: readPem(tlsKey, "--tls-key") };
}

function readPem(path: string, field: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new HapError("invalid_input", `${field} ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { field });
  }
}

function readOidc({ oidcIssuer, oidcClientId, oidcClaim }: Options, env: NodeJS.ProcessEnv) {
  if (oidcIssuer === undefined) return undefined;
  if (oidcClientId === undefined)
    throw new HapError("invalid_input", "--oidc-issuer needs --oidc-client-id.", { field: "--oidc-client-id" });
  return { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: env.HAP_OIDC_CLIENT_SECRET, claim: oidcClaim };
}

function readCollector({ otlp }: Options, env: NodeJS.ProcessEnv): string | undefined {
  const url = otlp ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!url) return undefined;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  const field = otlp === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "--otlp";
  throw new HapError("invalid_input", `${field} must be an address such as http://localhost:4318.`, { field });
}

function readGithub({ githubClientId }: Options, env: NodeJS.ProcessEnv) {
  if (githubClientId === undefined) return undefined;
  if (!env.HAP_GITHUB_CLIENT_SECRET)
    throw new HapError("invalid_input", "--github-client-id needs the secret in HAP_GITHUB_CLIENT_SECRET.", {
      field: "HAP_GITHUB_CLIENT_SECRET",
    });
  const { HAP_GITHUB_SITE: site, HAP_GITHUB_API: api } = env;
  return { clientId: githubClientId, clientSecret: env.HAP_GITHUB_CLIENT_SECRET, site, api };
}
