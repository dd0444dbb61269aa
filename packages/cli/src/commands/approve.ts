// hap approve: a yes. For a critical ticket only at a terminal, after a phrase made for it (D3).
import { isOpen, shortCode, type Ticket } from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { readJsonObject } from "../input/source.ts";
import { examples } from "../program.ts";
import { confirmRows } from "../show/confirm-rows.ts";
import { recordedLines } from "../show/decided.ts";
import { printDone } from "../show/print-ticket.ts";
import { confirmAtTerminal } from "../terminal/confirm.ts";

type Options = { edits?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Say yes. The agent reads your comment as you wrote it. A critical ticket is approved only at a terminal: you read what would happen in plain words, and type a phrase that is shown there and nowhere else.",
    )
    .argument("<ID>", "the ticket")
    .argument("[COMMENT...]", "words for the agent")
    .option("--edits <JSON>", "approve with these details changed, where the ticket allows it: JSON, @FILE or -")
    .addHelpText("after", examples('hap approve 7k2m9x "LGTM"', `hap approve 7k2m9x --edits '{"command":"make test"}'`))
    .action((id: string, comment: string[], options: Options) => approve(context, id, comment.join(" "), options));
}

async function approve(context: Context, typed: string, comment: string, options: Options): Promise<void> {
  refuseAgent(context, "approve");
  const edits = options.edits === undefined ? {} : { edits: readJsonObject(options.edits, "--edits") };
  await asPerson(context, async (client) => {
    const shown = await client.show(await resolveTicket(client, typed));
    const also = options.edits === undefined ? [] : [`With your edits: ${JSON.stringify(edits.edits)}`];
    const confirmed = mustConfirm(shown) && confirmYes(context, shown, "approve", also);
    const ticket = await client.approve(shown.id, comment === "" ? undefined : comment, { ...edits, confirmed });
    printDone(context, ticket, "Ticket approved!", recordedLines(ticket));
  });
}

/** A yes to an open critical ticket is confirmed; what has ended is refused by the runtime, which says how it ended. */
export function mustConfirm(ticket: Ticket): boolean {
  return ticket.tier === "critical" && isOpen(ticket.state);
}

/** Ask for the phrase; true once it was typed. */
export function confirmYes(context: Context, ticket: Ticket, decision: "approve" | "answer", also: readonly string[]): true {
  const about = ticket.artifact.environment ?? ticket.intent.kind;
  const hint = `All of it: hap show ${shortCode(ticket.id)}`;
  confirmAtTerminal(context, {
    what: `A yes to ${ticket.id}, which is critical,`,
    rows: confirmRows(context, ticket, [...also, hint]),
    words: `${decision} ${about}`,
  });
  return true;
}
