// hap tour: for whoever is new. An agent asks, the inbox shows it, and you read how to decide it. Decides nothing itself.
import { shortCode, type Ticket } from "@hap/protocol";
import type { Command } from "commander";
import { asAgent, asPerson, refuseAgent } from "../client.ts";
import { type Context, fitWidth } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { ticketTable } from "../show/ticket-table.ts";
import { trustWords } from "../show/trust-words.ts";
import { makePaint } from "../terminal/paint.ts";
import { wrapLines } from "../terminal/wrap.ts";

const AGENT = "agent:tour";

const DIFF = `--- a/src/greeting.ts
+++ b/src/greeting.ts
@@ -1,3 +1,4 @@
 export function greet(name: string): string {
-  return "Hello " + name;
+  const who = name.trim() === "" ? "you" : name.trim();
+  return \`Hello, \${who}!\`;
 }
`;

export function define(command: Command, context: Context): void {
  command
    .description("A short guided run: an agent asks you something, and you see how to decide it. Decides nothing itself.")
    .addHelpText("after", examples("hap tour", "HAP_DB_PATH=/tmp/try/hap.db hap tour"))
    .action(() => tour(context));
}

async function tour(context: Context): Promise<void> {
  refuseAgent(context, "take the tour");
  const person = await asPerson(context, async (client) => client.person);
  const asked = await asAgent(AGENT, async (client) => {
    const open = await client.list({ to: person, state: "open", limit: 1 });
    return open.tickets[0] ?? client.createTicket({ to: person, kind: "modify_file", summary: SUMMARY, file: FILE, diff: DIFF });
  });
  await asPerson(context, async (client) => {
    const { tickets } = await client.inbox();
    if (context.json) return printJson(context, await client.show(asked.id));
    context.out.line(
      tourText(context, await client.show(asked.id), tickets, { person, place: client.place, trust: trustWords(client.trust) }),
    );
  });
}

const SUMMARY = "Greet people who gave no name";
const FILE = "src/greeting.ts";

type Place = { person: string; place: string; trust: string };

function tourText(context: Context, asked: Ticket, tickets: readonly Ticket[], { person, place, trust }: Place): string {
  const paint = makePaint(context.env, context.out.isTerminal);
  const hap = context.env.npm_lifecycle_event === undefined ? "hap" : "npx hap";
  const code = shortCode(asked.id);
  const todo = (command: string, what: string) => `   ${paint.bold(`${hap} ${command}`.padEnd(hap.length + 30))} ${what}`;
  return [
    `${paint.bold("HAP is working.")} You are ${person}; the store is ${place}.`,
    "",
    `1. ${AGENT} wants to change ${FILE}, and waits for you:`,
    "",
    `   ${asked.id}`,
    "",
    `2. Your inbox (${hap} inbox):`,
    "",
    ticketTable(context, tickets),
    "",
    `3. Decide it; ${code} is its short code:`,
    "",
    todo(`show ${code}`, "read all of it, with the diff"),
    todo(`approve ${code} "nice"`, "say yes; the agent reads your words"),
    todo(`reject ${code} "not now"`, "say no"),
    todo(`wait ${code}`, "what the agent does meanwhile"),
    "",
    "4. See what is left behind:",
    "",
    todo("events", "everything that happened, in order"),
    todo("verify", "check that nobody changed it afterwards"),
    "",
    ...wrapLines(trust, fitWidth(context)),
    `Next: ${hap} --help, and docs/tutorial.md`,
  ].join("\n");
}
