// hap start: sets up the store, serves the page, and signs the person in by a link. What `npm start` runs.
import { existsSync } from "node:fs";
import { parseHumanId } from "@hap/protocol";
import { connectPerson } from "@hap/sdk";
import { type Command, Option } from "commander";
import { runningAgents } from "../agent/running-agents.ts";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { parseNumber } from "../input/number.ts";
import { storePath } from "../install/installation.ts";
import { examples } from "../program.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";
import { withstands } from "../show/withstands.ts";
import { type InboxOptions, openInbox } from "../start/open-inbox.ts";
import { findInbox } from "../start/running-inbox.ts";
import { showLink } from "../start/sign-in-link.ts";

const LOOK_FOR_AGENTS_MS = 1_000;

type Options = {
  as?: string;
  host?: string;
  port?: string;
  publishedPort?: string;
  publicUrl?: string;
  allowPlainHttp?: true;
  open: boolean;
  whileAgents?: true;
};

export function define(command: Command, context: Context): void {
  command
    .description(
      "Start the inbox: set up the store, serve the page on this machine, and sign you in by a one-time link. Your browser is opened; without one, the link and its QR code are shown. Requests are logged to a file beside the store.",
    )
    .option("--as <PERSON>", "who you are, from now on (default: HAP_HUMAN_ID, else as before, else your user name)")
    .option("--port <N>", "port to listen on (default 4747, or a free one if it is taken)")
    .option("--no-open", "show the link instead of opening a browser")
    .option("--host <ADDRESS>", "address to listen on (default 127.0.0.1); in a container 0.0.0.0")
    .option("--allow-plain-http", "plain HTTP on an address that others reach: in a container, or behind a proxy that adds TLS")
    .option("--published-port <N>", "in a container: the port that is published (default HAP_PUBLISHED_PORT, else the same)")
    .option("--public-url <URL>", "the address that people use, when it is another")
    .addOption(new Option("--while-agents", "end with the last agent of `hap claude` and `hap codex`").hideHelp())
    .addHelpText("after", "\nTo sign in again later: `hap login --link`. `hap serve` has the options for a team's server.")
    .addHelpText("after", examples("hap start", "hap start --as human:alex", "hap start --no-open --port 8080"))
    .action((options: Options) => start(context, options));
}

async function start(context: Context, options: Options): Promise<void> {
  refuseAgent(context, "run the inbox");
  const store = storePath(context);
  const person = options.as === undefined ? undefined : parseHumanId(options.as, "--as");
  const running = await findInbox(store);
  if (options.whileAgents) return running === null ? serveAgents(context, store) : undefined;
  if (running !== null) return signInAt(context, running.url, store, options);
  const inbox = await openInbox(context, { ...inboxOptions(context, options), store, person });
  // Listened for before the address is printed: a caller may stop the server as soon as it has it.
  const stopped = new Promise<void>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => resolve());
  });
  const { url, engine, log } = inbox;
  if (context.json) printJson(context, { url, person: engine.localPerson, store, trust: engine.trust, log });
  else {
    printBlock(context, [
      ["Inbox", url],
      ["You", engine.localPerson],
      ["Store", store],
      ["Log", log],
      ["A yes here", withstands(engine.trust, "local").short],
      ...(engine.credentials({ person: engine.localPerson }).length > 0
        ? []
        : [["Next", `add a passkey: ${url}/settings`] as const]),
    ]);
    const shown = await showLink({
      url,
      person: engine.localPerson,
      store,
      issue: () => engine.issueCode({ purpose: "link", person: engine.localPerson }).code,
      open: options.open,
      env: context.env,
    });
    if (!shown) context.out.line(howToGetLink(context));
    if (context.out.isTerminal)
      context.out.line(styleOf(context).paint.dim("Press Ctrl-C to stop. Next: `hap preview`, `hap claude`."));
  }
  await stopped;
  await inbox.close();
}

/** The background inbox of `hap claude` and `hap codex`: it serves as long as one of them runs. */
async function serveAgents(context: Context, store: string): Promise<void> {
  for (let signalled = false; !signalled && runningAgents(store).length > 0; ) {
    const inbox = await openInbox(context, { store });
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => runningAgents(store).length === 0 && stop(), LOOK_FOR_AGENTS_MS);
      const stop = () => {
        clearInterval(timer);
        resolve();
      };
      for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
        process.once(name, () => {
          signalled = true;
          stop();
        });
    });
    // An agent that found this inbox in its last moment is seen by the loop.
    await inbox.close();
  }
}

/** Somebody starts what runs already: they want to get in. */
async function signInAt(context: Context, url: string, store: string, options: Options): Promise<void> {
  const client = await connectPerson({ dbPath: store, ...(options.as === undefined ? {} : { person: options.as }) });
  try {
    if (context.json) return printJson(context, { url, person: client.person, store, trust: client.trust, running: true });
    context.out.line(`HAP is running already at ${url}.`);
    const issue = async () => (await client.issueCode("link")).code;
    const shown = await showLink({ url, person: client.person, store, issue, open: options.open, env: context.env });
    if (!shown) context.out.line(howToGetLink(context));
  } finally {
    await client.close();
  }
}

function inboxOptions(context: Context, options: Options): Omit<InboxOptions, "store"> {
  const port = parseNumber(options.port, "--port", "a port number");
  const published = parseNumber(
    options.publishedPort ?? (context.env.HAP_PUBLISHED_PORT || undefined),
    options.publishedPort === undefined ? "HAP_PUBLISHED_PORT" : "--published-port",
    "a port number",
  );
  const everywhere = options.host === "0.0.0.0" || options.host === "::";
  const local = everywhere || published !== undefined ? `http://localhost:${published ?? port ?? 4747}` : undefined;
  return {
    host: options.host,
    // The published port leads to one port of the container: another one would not be reached.
    port: everywhere ? (port ?? 4747) : port,
    allowPlainHttp: options.allowPlainHttp,
    publicUrl: options.publicUrl ?? local,
  };
}

function printBlock(context: Context, rows: readonly (readonly [string, string])[]): void {
  const { paint } = styleOf(context);
  context.out.line("HAP is running.\n");
  for (const [name, value] of rows) context.out.line(`  ${paint.dim(name.padEnd(11))} ${value}`);
  context.out.line();
}

/** Without a terminal no link is made: whatever reads the output would be signed in. */
export function howToGetLink({ env }: Pick<Context, "env">): string {
  const command = `${env.HAP_COMMAND || "hap"} login --link`;
  if (existsSync("/.dockerenv") || existsSync("/run/.containerenv"))
    return `To sign in, run \`podman exec -it CONTAINER ${command}\` (or docker exec) in a terminal, and open the link that it shows.`;
  return `To sign in, run \`${command}\` in a terminal of this machine, and open the link that it shows.`;
}
