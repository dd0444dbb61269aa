// hap completion: a script for the shell, made from the commands and options themselves.
import { HapError, quote, shortCode } from "@hap/protocol";
import { type Command, Option } from "commander";
import { actingAgent, asAgent, asPerson } from "../client.ts";
import { COMPLETIONS, isShell } from "../completion/scripts.ts";
import type { Context } from "../context.ts";
import { ALL_COMMANDS, buildProgram, examples } from "../program.ts";
import { oneLine } from "../show/agent-text.ts";
import { printJson } from "../show/print-ticket.ts";

const CODES_AT_MOST = 50;

export function define(command: Command, context: Context): void {
  command
    .description(
      "Print a completion script for bash, zsh or fish. It completes commands, options, and the short codes of open tickets.",
    )
    .argument("[SHELL]", "bash, zsh or fish")
    .addOption(new Option("--codes", "short codes of open tickets, with their summaries: what the scripts ask").hideHelp())
    .addHelpText(
      "after",
      examples(
        "hap completion bash > ~/.local/share/bash-completion/completions/hap",
        "hap completion zsh > ~/.zsh/completions/_hap",
        "hap completion fish > ~/.config/fish/completions/hap.fish",
      ),
    )
    .action((shell: string | undefined, options: { codes?: true }) =>
      options.codes ? printCodes(context) : completion(context, shell),
    );
}

/** Nothing is delivered: a Tab must not start a lease. */
async function printCodes(context: Context): Promise<void> {
  const agent = actingAgent(context);
  const query = { state: "open", limit: CODES_AT_MOST } as const;
  const { tickets } =
    agent === null
      ? await asPerson(context, (client) => client.peek({ ...query, to: client.person }))
      : await asAgent(agent, (client) => client.list(query));
  for (const { id, intent } of tickets) context.out.line(`${shortCode(id)}\t${oneLine(intent.summary)}`);
}

async function completion(context: Context, shell = ""): Promise<void> {
  if (!isShell(shell))
    throw new HapError("invalid_input", `${quote(shell)} is no shell that is known here; give bash, zsh or fish.`, {
      field: "SHELL",
    });
  const script = COMPLETIONS[shell](await buildProgram(context, ALL_COMMANDS));
  if (context.json) printJson(context, { shell, script });
  else context.out.text(script);
}
