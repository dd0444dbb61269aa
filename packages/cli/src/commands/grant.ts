// hap grant: let an agent do something for a while, or keep agents from it (D43).
import { type GrantView, showInvisible } from "@hap/protocol";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { makeGrant, previewRows, signingKey } from "../grants/make-grant.ts";
import { addGrantOptions, type GrantOptions, readGrantOptions } from "../input/grant-options.ts";
import { examples, subcommand } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { moment } from "../show/time-words.ts";
import { signWithSsh } from "../signing/ssh-key.ts";
import { typePhrase } from "../terminal/confirm.ts";

type Signing = { sshKey?: string };
const CREATE = 'hap grant create --agent agent:ci --command "npm install *" --project . --for 2h --uses 20';

export function define(command: Command, context: Context): void {
  command
    .description(
      "Grants let one agent do one thing for a while without asking you each time; denials keep agents from something. Every use is in the log. Critical tickets and files that arm the gate are never granted.",
    )
    .addHelpText("after", examples(CREATE, "hap grants", "hap grant show gr_...", "hap grant end gr_..."));
  addGrantOptions(subcommand(command, "create"))
    .description("Create a grant. You see what it would have answered, then type a phrase or sign with your key.")
    .option("--ssh-key <FILE>", "sign it with this SSH key, which you enrolled; else HAP_SSH_KEY")
    .addHelpText("after", examples(CREATE, 'hap grant create --deny --command "git push *"'))
    .action((options: GrantOptions & Signing) => create(context, options));
  addGrantOptions(subcommand(command, "preview"))
    .description("What a grant would have answered among your last 200 tickets. Writes nothing.")
    .addHelpText("after", examples('hap grant preview --agent agent:ci --command "npm install *" --for 2h'))
    .action((options: GrantOptions) => preview(context, options));
  subcommand(command, "show")
    .description("One grant, and the calls that it answered.")
    .argument("<ID>", "gr_...")
    .addHelpText("after", examples("hap grant show gr_..."))
    .action((id: string) => show(context, id));
  subcommand(command, "end")
    .description("End a grant for good. Ending a denial allows something again, so it is confirmed like a grant.")
    .argument("<ID>", "gr_...")
    .option("--ssh-key <FILE>", "sign the end of a denial with this SSH key; else HAP_SSH_KEY")
    .addHelpText("after", examples("hap grant end gr_..."))
    .action((id: string, options: Signing) => end(context, id, options));
}

async function create(context: Context, options: GrantOptions & Signing): Promise<void> {
  refuseAgent(context, "make grants");
  const input = readGrantOptions(context, options);
  await asPerson(context, async (client) => {
    const grant = await makeGrant(context, client, input, options.sshKey);
    if (context.json) return printJson(context, grant);
    context.out.line(`${grant.verdict === "allow" ? "Granted" : "Denied"}: ${grant.id}`);
    context.out.line(showInvisible(grant.words));
    context.out.line(`End it: hap grant end ${grant.id}`);
  });
}

async function preview(context: Context, options: GrantOptions): Promise<void> {
  const input = readGrantOptions(context, options);
  await asPerson(context, async (client) => {
    const found = await client.previewGrant(input);
    if (context.json) return printJson(context, found);
    for (const row of previewRows(found)) context.out.line(row);
  });
}

async function show(context: Context, id: string): Promise<void> {
  await asPerson(context, async (client) => {
    const grant = await client.grant(id);
    if (context.json) return printJson(context, grant);
    for (const line of grantLines(grant)) context.out.line(showInvisible(line));
    for (const { at, commands, paths, kind } of grant.journal) {
      const what = commands?.map((words) => words.join(" ")).join("; ") ?? paths?.join(", ") ?? kind;
      context.out.line(`  ${moment(at)}  ${showInvisible(what)}`);
    }
  });
}

function grantLines(grant: GrantView): string[] {
  const left = grant.left === null ? "" : `, ${grant.left} left`;
  return [
    `${grant.id}: ${grant.verdict}, ${grant.state}`,
    grant.words,
    `By: ${grant.person} at ${moment(grant.created_at)} (${grant.assurance}${grant.confirmed ? ", phrase typed" : ""})`,
    `Ends: ${grant.ends_at === null ? "never" : moment(grant.ends_at)}`,
    ...(grant.ended_at === null ? [] : [`Ended: ${moment(grant.ended_at)} (${grant.ended_because})`]),
    `Used: ${grant.used}${left}`,
  ];
}

async function end(context: Context, id: string, { sshKey }: Signing): Promise<void> {
  refuseAgent(context, "end grants");
  await asPerson(context, async (client) => {
    const { statement, needs } = await client.beginGrantEnd(id);
    const { nonce } = statement;
    const rows = [`You end the denial ${id}. What it kept closed can be asked, granted and allowed again.`];
    const issue = async () => (await client.issueGrantPhrase(nonce)).phrase;
    const confirmed =
      needs === null
        ? undefined
        : needs === "signature"
          ? { nonce, assertion: signWithSsh(await signingKey(context, client, sshKey), statement) }
          : { nonce, phrase: await typePhrase({ what: "The end of a denial", rows }, issue) };
    const grant = await client.endGrant(id, confirmed);
    if (context.json) return printJson(context, grant);
    context.out.line(`Ended: ${grant.id}, used ${grant.used} ${grant.used === 1 ? "time" : "times"}.`);
  });
}
