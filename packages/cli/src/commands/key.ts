// hap key: API keys by which agents come in over a server.
import type { KeyView } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import { type Context, fitWidth } from "../context.ts";
import { parseDuration } from "../input/duration.ts";
import { examples, subcommand } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { renderTable } from "../terminal/table.ts";

export function define(command: Command, context: Context): void {
  command
    .description("API keys for agents on other machines. For owners.")
    .addHelpText(
      "after",
      examples(
        "hap key create --agent agent:ci --expires 30d",
        "hap key list",
        "hap key rotate key_...",
        "hap key revoke key_...",
      ),
    );
  subcommand(command, "create")
    .description("Create a key for one agent. The secret is shown once; only its hash is stored.")
    .requiredOption("--agent <id>", "whose key it is, agent:NAME")
    .option("--expires <duration>", "how long it is good for, such as 12h or 30d (default: until it is revoked)")
    .option("--scope <list>", "with commas between: create, read_own, read_all (default create,read_own)")
    .addHelpText(
      "after",
      examples("hap key create --agent agent:ci --expires 30d", "hap key create --agent agent:audit --scope read_all --json"),
    )
    .action((options: { agent: string; expires?: string; scope?: string }) => create(context, options));
  subcommand(command, "list")
    .description("Keys, newest first, without their secrets.")
    .addHelpText("after", examples("hap key list", "hap key list --json"))
    .action(() => list(context));
  subcommand(command, "rotate")
    .argument("<id>", "key_...")
    .description("Replace the secret. The old one stops working at once.")
    .addHelpText("after", examples("hap key rotate key_..."))
    .action((id: string) => change(context, (client) => client.rotateKey(id)));
  subcommand(command, "revoke")
    .argument("<id>", "key_...")
    .description("Revoke a key for good.")
    .addHelpText("after", examples("hap key revoke key_..."))
    .action((id: string) => change(context, (client) => client.revokeKey(id)));
}

async function create(context: Context, options: { agent: string; expires?: string; scope?: string }): Promise<void> {
  const expires = options.expires === undefined ? {} : { expires_in_seconds: parseDuration(options.expires, "--expires") };
  const scopes = options.scope === undefined ? {} : { scopes: options.scope.split(",").map((scope) => scope.trim()) };
  await change(context, (client) => client.createKey({ agent: options.agent, ...expires, ...scopes }));
}

async function list(context: Context): Promise<void> {
  await asPerson(context, async (client) => {
    const keys = await client.listKeys();
    if (context.json) return printJson(context, keys);
    if (keys.length === 0) return context.out.line("There are no keys. `hap key create --agent agent:NAME` makes one.");
    const headings = ["Key", "Agent", "Scopes", "Expires", "Last used", "State"];
    const rows = keys.map((key) => [
      key.id,
      key.agent,
      key.scopes.join(","),
      key.expires_at ?? "never",
      key.last_used_at ?? "never",
      key.revoked_at === null ? "valid" : `revoked ${key.revoked_at}`,
    ]);
    context.out.line(
      renderTable(
        headings.map((heading) => ({ heading })),
        rows,
        fitWidth(context),
        5,
      ),
    );
  });
}

type Client = Parameters<Parameters<typeof asPerson>[1]>[0];

async function change(context: Context, work: (client: Client) => Promise<KeyView & { key?: string }>): Promise<void> {
  refuseAgent(context, "make or revoke keys");
  await asPerson(context, async (client) => {
    const made = await work(client);
    if (context.json) return printJson(context, made);
    if (made.key === undefined) return context.out.line(`${made.id} of ${made.agent} was revoked.`);
    context.out.line(
      `${made.id} for ${made.agent} (${made.scopes.join(", ")}), valid ${made.expires_at === null ? "until it is revoked" : `until ${made.expires_at}`}.`,
    );
    context.out.line(`The secret, shown this once; give it to the agent as HAP_API_KEY:\n\n    ${made.key}\n`);
  });
}
