// hap bridge: agents that ask by human.question envelopes, on their output or in a folder (D27).
import { HapError, parseHumanId } from "@hap/protocol";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { parseDuration } from "../input/duration.ts";
import { examples } from "../program.ts";

type Options = { to?: string; timeout?: string; dir?: string; resume?: true; strict?: true };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Run an agent that prints human.question envelopes. Its output passes through untouched; each question becomes a ticket,\nand its answer one line of JSON on the agent's standard input. `hap bridge protocol` prints the rules for agents.",
    )
    .argument("[COMMAND...]", "the agent's command, after --; or the word protocol")
    .option("--to <PERSON>", "whom to ask (default: HAP_HUMAN_ID, else you)")
    .option("--timeout <TIME>", "after this long without an answer, tell the agent so; a question's own limit comes first")
    .option("--dir <FOLDER>", "serve message files instead: FOLDER/inbox, FOLDER/outbox, FOLDER/processed")
    .option("--strict", "accept only envelopes that fit the original protocol's schema, and answer with its error codes")
    .option("--resume", "go on with the last run of this command in this folder, even if it ended")
    .addHelpText("after", "\nExit code: the agent's own; 128 and the number of the signal that ended it.")
    .addHelpText(
      "after",
      examples(
        "hap bridge -- python agent.py",
        "hap bridge --to human:alex --timeout 30m -- ./agent --fast",
        "hap bridge --dir ./messages",
      ),
    )
    .action((words: string[], options: Options) => bridge(context, words, options));
}

async function bridge(context: Context, words: readonly string[], options: Options): Promise<void> {
  if (words.length === 1 && words[0] === "protocol" && options.dir === undefined) {
    const { BRIDGE_RULES } = await import("@hap/door-envelope");
    return context.out.text(BRIDGE_RULES);
  }
  if ((words.length === 0) === (options.dir === undefined))
    throw new HapError(
      "invalid_input",
      "Give the agent's command after --, or a folder with --dir: hap bridge -- python agent.py.",
      {
        field: "COMMAND",
      },
    );
  const { runBridge, runFolder } = await import("@hap/door-envelope/bridge");
  const asking = {
    to: options.to === undefined ? undefined : parseHumanId(options.to, "--to"),
    timeoutSeconds: options.timeout === undefined ? null : parseDuration(options.timeout, "--timeout"),
    cwd: context.cwd,
    home: context.home,
    strict: options.strict === true,
    warn: (text: string) => context.err.line(`hap bridge: ${text}`),
  };
  if (options.dir === undefined) {
    const streams = { input: process.stdin, output: process.stdout };
    context.exitCode = await runBridge(words, { ...asking, ...streams, resume: options.resume === true });
    return;
  }
  const stop = new AbortController();
  const ending = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => [signal, () => stop.abort()] as const);
  for (const [signal, end] of ending) process.on(signal, end);
  try {
    await runFolder(options.dir, { ...asking, signal: stop.signal });
  } finally {
    for (const [signal, end] of ending) process.off(signal, end);
  }
}
