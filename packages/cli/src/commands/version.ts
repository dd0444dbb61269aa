// hap version: the version, and what it runs on; what a bug report needs.
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Print the version of HAP, and the Node and platform that it runs on.")
    .addHelpText("after", examples("hap version", "hap version --json"))
    .action(() => {
      const { version } = packageJson;
      const platform = `${process.platform}-${process.arch}`;
      if (context.json) printJson(context, { version, node: process.versions.node, platform });
      else context.out.line(`hap ${version} (Node ${process.versions.node}, ${platform})`);
    });
}
