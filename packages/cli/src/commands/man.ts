// hap man: a manual page, for man(1) to show; or all of them into a folder, which packages are built with.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HapError, quote } from "@hap/protocol";
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import type { Context } from "../context.ts";
import { manPages } from "../man/man-pages.ts";
import { ALL_COMMANDS, buildProgram, examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Print the manual page of hap or of one of its commands, for man to show. The installed package has them all.")
    .argument("[COMMAND]", "a command (default: hap itself)")
    .option("--output <FOLDER>", "write every page into this folder")
    .addHelpText(
      "after",
      examples("hap man | man -l -", "hap man approve | man -l -", "hap man --output ~/.local/share/man/man1"),
    )
    .action((name: string | undefined, options: { output?: string }) => man(context, name, options.output));
}

async function man(context: Context, name: string | undefined, folder: string | undefined): Promise<void> {
  const pages = manPages(await buildProgram(context, ALL_COMMANDS), packageJson.version);
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of pages) writeFileSync(join(folder, file), text);
    if (context.json) printJson(context, { folder, pages: [...pages.keys()] });
    else context.out.line(`${pages.size} pages are in ${folder}.`);
    return;
  }
  const page = pages.get(name === undefined ? "hap.1" : `hap-${name}.1`);
  if (page === undefined)
    throw new HapError("invalid_input", `${quote(name ?? "")} is no command. \`hap --help\` lists them.`, { field: "COMMAND" });
  if (context.json) printJson(context, { page });
  else context.out.text(page);
}
