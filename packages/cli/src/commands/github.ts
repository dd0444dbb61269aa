// hap github: pull requests as tickets, and decisions back as reviews or checks: a webhook receiver, and a workflow's step.
import { readFileSync } from "node:fs";
import type { PullAdapter, PullOptions, ReportWay } from "@hap/door-github";
import { HapError, parseAskerId, parseHumanId, parseJson, quote } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk";
import { type Command, Option } from "commander";
import { actingAgent, asAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { waitExitCode } from "../exit-codes.ts";
import { parseDuration } from "../input/duration.ts";
import { parseNumber } from "../input/number.ts";
import { examples } from "../program.ts";

type Options = { to?: string; from?: string; report: ReportWay };
type ServeOptions = Options & { host: string; port: string };
type ActionOptions = Options & { timeout?: string };

const AGENT = "agent:github";

const ENVIRONMENT = `
Environment:
  GITHUB_TOKEN            writes comments, reviews and checks
  GITHUB_WEBHOOK_SECRET   serve: the secret of the webhook; required
  GITHUB_API_URL          the API (default: https://api.github.com)
  GITHUB_EVENT_PATH       action: the event, as a workflow's step is given it`;

export function define(command: Command, context: Context): void {
  command
    .description(
      "Pull requests as tickets. Each waits a day for its person, and is canceled without an answer. A comment names the ticket; the decision goes back as a review of exactly that commit, or as a check.",
    )
    .addHelpText("after", ENVIRONMENT)
    .addHelpText("after", examples("hap github serve --port 8787", "hap github action --report check --timeout 50m"));
  shared(command, "serve")
    .description("Receive GitHub's webhook. Bind it to loopback behind a proxy that has a certificate.")
    .option("--host <ADDRESS>", "listen on this address", "127.0.0.1")
    .option("--port <N>", "listen on this port", "8787")
    .addHelpText("after", ENVIRONMENT)
    .addHelpText("after", examples("hap github serve", "hap github serve --to human:alex --report check"))
    .action((options: ServeOptions) => serve(context, options));
  shared(command, "action")
    .description("Ask about the pull request of a workflow's run, and wait. Exit codes are those of `hap wait`.")
    .option("--timeout <TIME>", "stop waiting after this long, and leave the ticket open")
    .addHelpText("after", ENVIRONMENT)
    .addHelpText("after", examples("hap github action --timeout 50m"))
    .action((options: ActionOptions) => action(context, options));
}

function shared(command: Command, name: string): Command {
  return command
    .command(name)
    .helpOption("-h, --help", "show help")
    .option("--json", "print JSON and nothing else")
    .option("--to <PERSON>", "who decides (default: the first requested reviewer, else you)")
    .option("--from <AGENT>", `the agent that asks (default: HAP_AGENT_ID, else ${AGENT})`)
    .addOption(
      new Option("--report <WAY>", "how the decision goes back: review, check or none")
        .choices(["review", "check", "none"])
        .default("review"),
    );
}

async function withAdapter(
  context: Context,
  options: Options,
  work: (adapter: PullAdapter, client: AgentClient) => Promise<void>,
): Promise<void> {
  const agent = (options.from === undefined ? actingAgent(context) : parseAskerId(options.from, "--from")) ?? AGENT;
  const github = await import("@hap/door-github");
  const api = new github.GitHubApi({ token: needed(context, "GITHUB_TOKEN"), baseUrl: context.env.GITHUB_API_URL });
  const to = options.to === undefined ? null : parseHumanId(options.to, "--to");
  const how: PullOptions = { to, report: options.report };
  await asAgent(agent, (client) => work(new github.PullAdapter(client, api, how), client));
}

function needed({ env }: Context, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new HapError("invalid_input", `${name} is not set; \`hap github --help\` says what it is for.`, { field: name });
}

async function serve(context: Context, options: ServeOptions): Promise<void> {
  const secret = needed(context, "GITHUB_WEBHOOK_SECRET");
  const port = parseNumber(options.port, "--port", "a port, 0 to 65535") ?? 0;
  const { serveWebhook } = await import("@hap/door-github");
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  await withAdapter(context, options, (adapter) =>
    serveWebhook(adapter, {
      secret,
      port,
      host: options.host,
      signal: stop.signal,
      listening: (address) => context.out.line(`Listening on ${address}`),
      warn: (text) => context.err.line(`hap github: ${text}`),
    }),
  );
}

async function action(context: Context, options: ActionOptions): Promise<void> {
  const path = needed(context, "GITHUB_EVENT_PATH");
  const { readPullEvent } = await import("@hap/door-github");
  const event = readPullEvent(parseJson(readEvent(path), "The event"));
  await withAdapter(context, options, async (adapter) => {
    const ticket = await adapter.handle(event);
    if (ticket === null)
      return context.out.line(`Nothing to ask: the pull request was ${event.action}${event.draft ? ", as a draft" : ""}.`);
    context.err.line(`Waiting for ${ticket.to} to decide ${ticket.id} ...`);
    const timeoutMs = options.timeout === undefined ? {} : { timeoutMs: parseDuration(options.timeout, "--timeout") * 1000 };
    const outcome = await adapter.follow(ticket.id, timeoutMs);
    context.out.line(context.json ? JSON.stringify(outcome.ticket, null, 2) : outcome.words);
    context.exitCode = waitExitCode(outcome);
  });
}

function readEvent(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new HapError(
      "invalid_input",
      `GITHUB_EVENT_PATH: ${quote(path)} cannot be read.`,
      { field: "GITHUB_EVENT_PATH", path },
      error,
    );
  }
}
