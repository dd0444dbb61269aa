// hap completion: a script for the shell, made from the commands and options themselves.
import { HapError, quote } from "@hap/protocol";
import type { Command } from "commander";
import { COMPLETIONS, isShell } from "../completion/scripts.ts";
import type { Context } from "../context.ts";
import { ALL_COMMANDS, buildProgram, examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Print a completion script for bash, zsh or fish.")
    .argument("<SHELL>", "bash, zsh or fish")
    .addHelpText(
      "after",
      examples(
        "hap completion bash > ~/.local/share/bash-completion/completions/hap",
        "hap completion zsh > ~/.zsh/completions/_hap",
        "hap completion fish > ~/.config/fish/completions/hap.fish",
      ),
    )
    .action((shell: string) => completion(context, shell));
}

async function completion(context: Context, shell: string): Promise<void> {
  if (!isShell(shell))
    throw new HapError("invalid_input", `${quote(shell)} is no shell that is known here; give bash, zsh or fish.`, {
      field: "SHELL",
    });
  const script = COMPLETIONS[shell](await buildProgram(context, ALL_COMMANDS));
  if (context.json) printJson(context, { shell, script });
  else context.out.text(script);
}
