// hap logout: end the sign-in at a server.
import { HapError } from "@hap/protocol";
import { endSignIn, keepToken } from "@hap/sdk/sign-in";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

export function define(command: Command, context: Context): void {
  command
    .description("Sign out at the server that HAP_URL or URL names, here or everywhere.")
    .argument("[url]", "the server (default HAP_URL)")
    .option("--everywhere", "end all your sign-ins there")
    .addHelpText("after", examples("hap logout", "hap logout https://hap.example.org --everywhere"))
    .action((url: string | undefined, options: { everywhere?: true }) =>
      logout(context, url ?? context.env.HAP_URL ?? "", options.everywhere === true),
    );
}

async function logout(context: Context, url: string, everywhere: boolean): Promise<void> {
  if (url === "")
    throw new HapError("invalid_input", "Which server? `hap logout https://hap.example.org`, or set HAP_URL.", { field: "url" });
  const wasIn = await endSignIn(url, everywhere);
  keepToken(url, null, context.env);
  if (context.json) printJson(context, { url, signed_out: wasIn });
  else context.out.line(wasIn ? `Signed out at ${url}.` : `You were not signed in at ${url}.`);
}
