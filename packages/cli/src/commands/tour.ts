// hap tour: for whoever is new. A sample agent asks in a store of its own, you decide, and you see it wake. Nothing of it stays.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HapError, shortCode, type Ticket } from "@hap/protocol";
import { type AgentClient, connectAgent, connectPerson, type Outcome, type PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { historyLines } from "../show/history.ts";
import { styleOf } from "../show/print-ticket.ts";
import { shownRows } from "../show/shown-ticket.ts";

const AGENT = "agent:tour";
const SUMMARY = "Greet people who gave no name";
const FILE = "src/greeting.ts";

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
    .description(
      "A short guided run at your terminal: a sample agent asks you something, you decide it, and you see what the agent reads and what is left in the log. It has a store of its own, which is deleted at the end.",
    )
    .addHelpText("after", examples("hap tour"))
    .action(() => tour(context));
}

async function tour(context: Context): Promise<void> {
  refuseAgent(context, "take the tour");
  if (!context.canAsk || context.json)
    throw new HapError(
      "terminal_needed",
      "The tour asks you things: run `hap tour` at a terminal. docs/tutorial.md is the same to read.",
      {},
    );
  const folder = mkdtempSync(join(tmpdir(), "hap-tour-"));
  const store = join(folder, "hap.db");
  const person = await connectPerson({ dbPath: store, home: folder });
  const agent = await connectAgent({ agent: AGENT, dbPath: store, home: folder });
  try {
    await guide(context, person, agent);
  } finally {
    await Promise.all([person.close(), agent.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function guide(context: Context, person: PersonClient, agent: AgentClient): Promise<void> {
  const { paint } = styleOf(context);
  const say = (...lines: string[]) => {
    for (const line of lines) context.out.line(line);
  };
  const asked = await agent.createTicket({ to: person.person, kind: "modify_file", summary: SUMMARY, file: FILE, diff: DIFF });
  const waiting = agent.wait(asked.id);
  say(paint.bold(`1. ${AGENT} wants to change ${FILE}. It opened a ticket, and waits.`), "");
  const ticket = await person.show(asked.id);
  say(...shownRows(context, ticket, null), "");
  say(paint.bold("2. You decide."), "");
  await decide(ticket, person);
  say("", paint.bold("3. The agent wakes, and reads:"), "", `   ${readAs(await waiting)}`, "");
  say(paint.bold("4. What is left: every step, in a log that nobody can change unnoticed."), "");
  say(...historyLines(await person.history(ticket.id)).map((line) => `   ${line}`));
  const { ok, events } = await person.verify();
  say(`   hap verify: ${ok ? "the log is whole" : "the log is damaged"} (${events} events)`, "");
  say(
    `In your own store the same is \`hap inbox\`, \`hap show ${shortCode(ticket.id)}\`, \`hap approve\`, \`hap reject\`, \`hap events\`, \`hap verify\`.`,
    "Next: `hap claude` or `hap codex` runs your agent behind the gate; `hap start` opens the page.",
  );
}

async function decide(ticket: Ticket, person: PersonClient): Promise<void> {
  const { promptDecision } = await import("../terminal/prompt-decision.ts");
  const { decision, comment: words } = await promptDecision();
  const comment = words === "" ? undefined : words;
  if (decision === "approve") await person.approve(ticket.id, comment);
  else if (decision === "reject") await person.reject(ticket.id, comment);
  else await person.requestChanges(ticket.id, comment);
}

function readAs(outcome: Outcome): string {
  return `${outcome.status}${outcome.comment === null ? "" : ` - ${outcome.comment}`}`;
}
