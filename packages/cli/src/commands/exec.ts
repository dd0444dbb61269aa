// hap exec: a command, bound to exactly what it is now, runs once a person approved it. Standard output is the command's own.
import { DEFAULTS, HapError, type Priority, parseAskerId, parseHumanId, type TimeoutAction } from "@hap/protocol";
import type { Command } from "commander";
import { actingAgent, asAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { finish, GATE_EXIT_HELP, waitForEnd } from "../gate-result.ts";
import { parseDuration } from "../input/duration.ts";
import { projectOf } from "../input/ticket-options.ts";
import { examples } from "../program.ts";

type Options = {
  to?: string;
  from?: string;
  summary?: string;
  priority?: Priority;
  environment?: string;
  ttl?: string;
  onTimeout?: TimeoutAction;
  timeout?: string;
  env?: string[];
  stdin?: string;
  allowEdits?: true;
  project?: string | boolean;
};

export function define(command: Command, context: Context): void {
  command
    .description(
      "Ask a person to approve a command, wait, and run exactly that. Bound are the program and its hash, the arguments, the files named in them, the folder, the environment and the input; if one of them has changed, nothing is run. What the program loads by itself later is not bound.",
    )
    .argument("<COMMAND...>", "the command and its arguments, after --")
    .option("--to <PERSON>", "who decides (default: you)")
    .option("--from <AGENT>", "the agent that asks (default: HAP_AGENT_ID, else agent:local)")
    .option("--summary <TEXT>", "what it is about (default: the command)")
    .option("--priority <WORD>", "critical, high, normal or low (default: normal)")
    .option("--environment <NAME>", "prod, staging, dev or another")
    .option("--ttl <TIME>", "how long it waits once it was shown (default: 1h)")
    .option("--on-timeout <ACTION>", "auto_reject or cancel (default: auto_reject)")
    .option("--timeout <TIME>", "give up after this long, and leave the ticket open; the same command goes on waiting")
    .option("--env <NAME>", "NAME=VALUE sets a variable and shows it; NAME takes one over, bound and not shown", collect)
    .option("--stdin <FILE>", "give the command this file as input (default: none)")
    .option("--allow-edits", "let the person change argv or command before approving")
    .option("--project <FOLDER>", "the project (default: the nearest folder from here up with .git or .hap)")
    .option("--no-project", "no project")
    .addHelpText("after", GATE_EXIT_HELP)
    .addHelpText(
      "after",
      examples("hap exec -- make deploy", "hap exec --to human:alex --env DEPLOY_TOKEN -- ./deploy.sh staging"),
    )
    .action((words: string[], options: Options) => exec(context, words, options));
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

async function exec(context: Context, argv: readonly string[], options: Options): Promise<void> {
  const agent = options.from === undefined ? actingAgent(context) : parseAskerId(options.from, "--from");
  const { execCommand } = await import("@hap/door-exec");
  const given = {
    to: options.to === undefined ? undefined : parseHumanId(options.to, "--to"),
    summary: options.summary,
    priority: options.priority,
    environment: options.environment,
  };
  if (options.onTimeout === "auto_approve")
    throw new HapError("auto_approve_refused", "Time alone runs no command: --on-timeout is auto_reject or cancel.", {
      field: "--on-timeout",
    });
  const lease = {
    ttl_seconds: options.ttl === undefined ? DEFAULTS.ttlSeconds : parseDuration(options.ttl, "--ttl"),
    ...(options.onTimeout === undefined ? {} : { on_timeout: options.onTimeout }),
  };
  await asAgent(agent ?? DEFAULTS.agent, async (client) => {
    const done = await execCommand(client, {
      argv,
      cwd: context.cwd,
      environment: { from: context.env, also: options.env ?? [] },
      stdin: options.stdin ?? null,
      project: projectOf(context, options.project) ?? null,
      ticket: {
        ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as { to?: string }),
        lease,
        allowEdits: options.allowEdits === true,
      },
      now: context.now,
      waiting: (ticket) => context.err.line(`Waiting for ${ticket.to} to decide ${ticket.id} ...`),
      waitWith: (wait) => waitForEnd(context, options.timeout, wait),
    });
    finish(context, done);
  });
}
