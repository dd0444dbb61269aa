// hap approve: a yes. For a critical ticket only at a terminal, after a phrase made for it (D3).
import { shortCode, type Ticket } from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { readJsonObject } from "../input/source.ts";
import { examples } from "../program.ts";
import { confirmRows, confirmWords } from "../show/confirm-rows.ts";
import { recordedLines } from "../show/decided.ts";
import { printDone } from "../show/print-ticket.ts";
import { decideSigned, meansOf } from "../signing/decide-signed.ts";
import { confirmAtTerminal } from "../terminal/confirm.ts";
import { makePaint } from "../terminal/paint.ts";

type Options = { edits?: string; sshKey?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Say yes. The agent reads your comment as you wrote it. A critical ticket is approved only at a terminal: you read what would happen in plain words, and type a phrase that is shown there and nowhere else. Where a signature is needed, an SSH key of yours makes it, or your passkey on the review page.",
    )
    .argument("<ID>", "the ticket")
    .argument("[COMMENT...]", "words for the agent")
    .option("--edits <JSON>", "approve with these details changed, where the ticket allows it: JSON, @FILE or -")
    .option(
      "--ssh-key <FILE>",
      "sign the yes with this SSH key, which you enrolled; where a signature is needed, else HAP_SSH_KEY",
    )
    .addHelpText(
      "after",
      examples(
        'hap approve 7k2m9x "LGTM"',
        `hap approve 7k2m9x --edits '{"command":"make test"}'`,
        "hap approve 7k2m9x --ssh-key ~/.ssh/id_ed25519",
      ),
    )
    .action((id: string, comment: string[], options: Options) => approve(context, id, comment.join(" "), options));
}

async function approve(context: Context, typed: string, comment: string, options: Options): Promise<void> {
  refuseAgent(context, "approve");
  const edits = options.edits === undefined ? {} : { edits: readJsonObject(options.edits, "--edits") };
  await asPerson(context, async (client) => {
    const shown = await client.show(await resolveTicket(client, typed));
    const { confirm, key } = await meansOf(context, client, shown, options.sshKey);
    const also = options.edits === undefined ? [] : [`With your edits: ${JSON.stringify(edits.edits)}`];
    const confirmed = confirm && confirmYes(context, shown, "approve", also);
    const said = comment === "" ? {} : { comment };
    const ticket =
      key === null
        ? await client.approve(shown.id, said.comment, { ...edits, confirmed })
        : await decideSigned(client, shown, { decision: "approve", ...said, ...edits }, key, confirmed);
    printDone(context, ticket, "Ticket approved!", recordedLines(ticket));
  });
}

/** Ask for the phrase; true once it was typed. */
export function confirmYes(context: Context, ticket: Ticket, decision: "approve" | "answer", also: readonly string[]): true {
  const style = { paint: makePaint(context.env, true), width: context.out.columns ?? context.err.columns ?? 80 };
  const hint = `All of it: hap show ${shortCode(ticket.id)}`;
  confirmAtTerminal(context, {
    what: `A yes to ${ticket.id}, which is critical,`,
    rows: confirmRows(style, ticket, [...also, hint]),
    words: confirmWords(ticket, decision),
  });
  return true;
}
