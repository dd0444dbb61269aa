// hap health: whether a server is ready, as an exit code; for health checks of containers, which have no shell and no curl.
import { HapError } from "@hap/protocol";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

const DEFAULT_URL = "http://127.0.0.1:4747";
const LIMIT_MS = 5_000;

export function define(command: Command, context: Context): void {
  command
    .description("Ask a server whether it is ready to take requests. Exits 0 if it is, else with an error that says why.")
    .argument("[URL]", `the server (default: HAP_URL, else ${DEFAULT_URL})`)
    .addHelpText("after", examples("hap health", "hap health https://hap.example.org"))
    .action((url: string | undefined) => health(context, url));
}

async function health(context: Context, named: string | undefined): Promise<void> {
  const url = named ?? (context.env.HAP_URL || DEFAULT_URL);
  if (!URL.canParse("/readyz", url)) throw new HapError("invalid_input", `${url} is not an address.`, { field: "URL" });
  const response = await fetch(new URL("/readyz", url), { signal: AbortSignal.timeout(LIMIT_MS) }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw new HapError("server_unreachable", `${url} cannot be reached (${cause}). Is \`hap serve\` running there?`, { url });
  });
  const body = await response.text();
  if (!response.ok) throw new HapError("server_unreachable", `${url} is not ready (${response.status}): ${body}`, { url });
  if (context.json) printJson(context, { url, ready: true });
  else context.out.line(`${url} is ready.`);
}
