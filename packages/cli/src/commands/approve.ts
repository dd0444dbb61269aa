// hap approve: a yes. For a critical ticket only at a terminal, after a phrase made for it (D3).
import { type GrantInput, isHapError, shortCode, type Ticket } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { makeGrant } from "../grants/make-grant.ts";
import { parseDuration } from "../input/duration.ts";
import { readJsonObject } from "../input/source.ts";
import { examples } from "../program.ts";
import { confirmRows } from "../show/confirm-rows.ts";
import { recordedLines } from "../show/decided.ts";
import { printDone } from "../show/print-ticket.ts";
import { doneWords } from "../show/quorum-lines.ts";
import { decideSigned, meansOf } from "../signing/decide-signed.ts";
import type { SigningKey } from "../signing/ssh-key.ts";
import { typePhrase } from "../terminal/confirm.ts";
import { makePaint } from "../terminal/paint.ts";

type Options = { edits?: string; sshKey?: string; allowFor?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Approve a ticket. The agent reads your comment as you wrote it. A critical ticket can be approved only at a terminal: you see what would happen, and type a phrase that is shown only there. Where a signature is needed, sign with your SSH key, or with your passkey on the review page.",
    )
    .argument("<ID>", "the ticket")
    .argument("[COMMENT...]", "words for the agent")
    .option("--edits <JSON>", "approve with these details changed, where the ticket allows it: JSON, @FILE or -")
    .option(
      "--ssh-key <FILE>",
      "sign the yes with this SSH key, which you enrolled; where a signature is needed, else HAP_SSH_KEY",
    )
    .option(
      "--allow-for <TIME>",
      "also allow the same call for so long, such as 8h: the narrowest grant, which you confirm by itself",
    )
    .addHelpText(
      "after",
      examples(
        'hap approve 7k2m9x "LGTM"',
        "hap approve 7k2m9x --allow-for 8h",
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
    // What cannot be granted is said before anything is decided.
    const proposal = await proposed(client, shown, options.allowFor);
    const { confirm, key } = await meansOf(context, client, shown, options.sshKey);
    const also = options.edits === undefined ? [] : [`With your edits: ${JSON.stringify(edits.edits)}`];
    const confirmed = confirm ? await confirmYes(context, client, shown, { decision: "approve", key }, also) : {};
    const said = comment === "" ? {} : { comment };
    const ticket =
      key === null
        ? await client.approve(shown.id, said.comment, { ...edits, ...confirmed })
        : await decideSigned(client, shown, { decision: "approve", ...said, ...edits }, key, confirmed);
    const grant = proposal === null ? null : await makeGrant(context, client, proposal, options.sshKey);
    const granted = grant === null ? [] : [`Granted: ${grant.id}. ${grant.words} End it: hap grant end ${grant.id}`];
    const done = doneWords(ticket, "Ticket approved!", "Your approval");
    printDone(context, ticket, done, [...recordedLines(ticket), ...granted, ...offerKey(ticket)]);
  });
}

/** The narrowest grant for a ticket, where one is asked for. */
async function proposed(client: PersonClient, { id }: Ticket, time: string | undefined): Promise<GrantInput | null> {
  if (time === undefined) return null;
  return (await client.proposeGrant(id, { seconds: parseDuration(time, "--allow-for") })).input;
}

/** Show the phrase that the runtime issues for this ticket; returns what was typed, which the runtime checks (D3). */
export async function confirmYes(
  context: Context,
  client: PersonClient,
  ticket: Ticket,
  { decision, key }: { decision: "approve" | "answer"; key: SigningKey | null },
  also: readonly string[],
): Promise<{ phrase?: string }> {
  const style = { paint: makePaint(context.env, true), width: context.out.columns ?? context.err.columns ?? 80 };
  const hint = `All of it: hap show ${shortCode(ticket.id)}`;
  const rows = confirmRows(style, ticket, [...also, hint]);
  try {
    const issue = async () => (await client.issuePhrase(ticket.id, decision)).phrase;
    return { phrase: await typePhrase({ what: `A yes to ${ticket.id}, which is critical,`, rows }, issue) };
  } catch (error) {
    // A token is given no phrase. Hardware asks its person itself; with any other key the page shows the phrase.
    if (!isHapError(error) || error.code !== "page_needed" || key === null) throw error;
    if (key.credential.level !== "key") return {};
    const what = `the phrase that ${String(error.fields.page)} shows`;
    return { phrase: await typePhrase({ what: `A yes to ${ticket.id}, which is critical,`, rows: [] }, async () => what) };
  }
}

/** A critical yes without a key: offer to enrol one, from which on nothing weaker opens such a ticket. */
export function offerKey({ tier, resolution }: Ticket): string[] {
  if (tier !== "critical" || resolution?.unproven !== true) return [];
  return [
    "Enrol a key, and nothing weaker opens a critical ticket: hap credential add-ssh ~/.ssh/id_ed25519.pub, or a passkey on the page.",
  ];
}
