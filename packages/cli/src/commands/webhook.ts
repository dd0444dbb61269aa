// hap webhook: addresses that are told what happens, so that chat tools and other programs can be joined.
import type { WebhookView } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import { type Context, fitWidth } from "../context.ts";
import { examples, subcommand } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { renderTable } from "../terminal/table.ts";

type CreateOptions = { events?: string; person?: string; agent?: string; kind?: string; tier?: string };

export function define(command: Command, context: Context): void {
  command
    .description("Webhooks: a server sends events to your addresses, signed as Standard Webhooks. For owners.")
    .addHelpText(
      "after",
      examples(
        "hap webhook create https://chat.example.org/hooks/hap --events ticket.create,ticket.resolve --tier critical",
        "hap webhook test whk_...",
        "hap webhook dead",
        "hap webhook dead --redeliver msg_...",
      ),
    );
  subcommand(command, "create")
    .argument("<url>", "where messages go, https://...")
    .description("Send events to an address from now on. The signing secret is shown once.")
    .option("--events <list>", "types of events with commas between (default all)")
    .option("--person <id>", "only tickets of this person")
    .option("--agent <id>", "only tickets of this agent")
    .option("--kind <kind>", "only tickets of this kind")
    .option("--tier <tier>", "only tickets of this tier: routine, notable, critical")
    .addHelpText(
      "after",
      examples("hap webhook create https://chat.example.org/hooks/hap --events ticket.create,ticket.resolve --tier critical"),
    )
    .action((url: string, options: CreateOptions) => create(context, url, options));
  subcommand(command, "list")
    .description("Webhooks, oldest first, without their secrets.")
    .addHelpText("after", examples("hap webhook list"))
    .action(() => list(context));
  subcommand(command, "remove")
    .argument("<id>", "whk_...")
    .description("Stop sending events to an address. Queued events are dropped.")
    .addHelpText("after", examples("hap webhook remove whk_..."))
    .action((id: string) => remove(context, id));
  subcommand(command, "erase")
    .argument("<id>", "whk_...")
    .description("Delete the address of a webhook that was removed, for good. The log keeps that there was one.")
    .option("--reason <text>", "why; kept with the event")
    .addHelpText("after", examples('hap webhook erase whk_... --reason "it held a name"'))
    .action((id: string, { reason }: { reason?: string }) => erase(context, id, reason));
  subcommand(command, "test")
    .argument("<id>", "whk_...")
    .description("Queue a message that says nothing, to see whether it arrives.")
    .addHelpText("after", examples("hap webhook test whk_..."))
    .action((id: string) => test(context, id));
  subcommand(command, "dead")
    .description("Messages that were given up after about a day of tries.")
    .option("--redeliver <id>", "try this one again, msg_...")
    .addHelpText("after", examples("hap webhook dead", "hap webhook dead --redeliver msg_..."))
    .action(({ redeliver }: { redeliver?: string }) => (redeliver === undefined ? dead(context) : again(context, redeliver)));
}

async function create(context: Context, url: string, { events, ...filter }: CreateOptions): Promise<void> {
  refuseAgent(context, "say where events go");
  await asPerson(context, async (client) => {
    const types = events === undefined ? {} : { events: events.split(",").map((type) => type.trim()) };
    const made = await client.createWebhook({ url, ...types, filter });
    if (context.json) return printJson(context, made);
    context.out.line(`${made.id} tells ${made.url} of ${made.events.join(", ")}${narrowed(made)}.`);
    context.out.line(`The secret to check signatures with, shown this once:\n\n    ${made.secret}\n`);
  });
}

async function list(context: Context): Promise<void> {
  await asPerson(context, async (client) => {
    const webhooks = await client.listWebhooks();
    if (context.json) return printJson(context, webhooks);
    if (webhooks.length === 0) return context.out.line("There are no webhooks. `hap webhook create URL` makes one.");
    const rows = webhooks.map((webhook) => [webhook.id, webhook.url, webhook.events.join(","), narrowed(webhook).trim()]);
    table(context, ["Webhook", "URL", "Events", "Only"], rows, 1);
  });
}

async function remove(context: Context, id: string): Promise<void> {
  refuseAgent(context, "say where events go");
  await asPerson(context, async (client) => {
    const removed = await client.removeWebhook(id);
    if (context.json) return printJson(context, removed);
    context.out.line(`${removed.id} is gone; ${removed.url} is told nothing more.`);
  });
}

async function erase(context: Context, id: string, reason: string | undefined): Promise<void> {
  refuseAgent(context, "erase words");
  await asPerson(context, async (client) => {
    const erased = await client.eraseWebhook(id, reason);
    if (context.json) return printJson(context, { erased });
    context.out.line(`Erased the address of ${id}. The log keeps its digest, and \`hap verify\` still verifies it.`);
  });
}

async function test(context: Context, id: string): Promise<void> {
  refuseAgent(context, "try webhooks");
  await asPerson(context, async (client) => {
    const queued = await client.testWebhook(id);
    if (context.json) return printJson(context, queued);
    context.out.line(`${queued.delivery_id} waits; a server that runs on this store sends it within a second.`);
  });
}

async function dead(context: Context): Promise<void> {
  await asPerson(context, async (client) => {
    const letters = await client.deadLetters();
    if (context.json) return printJson(context, letters);
    if (letters.length === 0) return context.out.line("No message was given up.");
    const rows = letters.map(({ id, url, type, tries, problem }) => [id, url, type, String(tries), problem ?? ""]);
    table(context, ["Message", "URL", "Type", "Tries", "Last problem"], rows, 4);
  });
}

async function again(context: Context, id: string): Promise<void> {
  refuseAgent(context, "send messages again");
  await asPerson(context, async (client) => {
    const letter = await client.redeliver(id);
    if (context.json) return printJson(context, letter);
    context.out.line(`${letter.id} is tried again at ${letter.url}.`);
  });
}

function narrowed({ filter }: WebhookView): string {
  const words = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

function table(context: Context, headings: readonly string[], rows: string[][], flexible: number): void {
  context.out.line(
    renderTable(
      headings.map((heading) => ({ heading })),
      rows,
      fitWidth(context),
      flexible,
    ),
  );
}
