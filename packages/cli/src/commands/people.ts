// hap people: who this log knows, their roles, and the accounts that mean them.
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import { type Context, fitWidth } from "../context.ts";
import { examples, subcommand } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { renderTable } from "../terminal/table.ts";

type Account = { issuer: string; subject: string };

export function define(command: Command, context: Context): void {
  command
    .description("People known to this log, their roles (from the confirmed policy), and the accounts they sign in with.")
    .addHelpText("after", examples("hap people list", "hap people link human:alex --issuer https://id.example.org --subject 42"));
  subcommand(command, "list")
    .description("List people with their roles and accounts.")
    .addHelpText("after", examples("hap people list", "hap people list --json"))
    .action(() => list(context));
  for (const [name, words] of [
    ["link", "Say which account of an identity provider means a person. For owners."],
    ["unlink", "An account means this person no longer; they are signed out everywhere. For owners."],
  ] as const)
    subcommand(command, name)
      .argument("<person>", "human:NAME")
      .description(words)
      .requiredOption("--issuer <url>", "the provider, as it names itself")
      .requiredOption("--subject <id>", "the account, as the provider names it")
      .addHelpText("after", examples(`hap people ${name} human:alex --issuer https://id.example.org --subject 42`))
      .action((person: string, account: Account) => change(context, name, person, account));
}

async function list(context: Context): Promise<void> {
  await asPerson(context, async (client) => {
    const people = await client.people();
    if (context.json) return printJson(context, people);
    const headings = ["Person", "Role", "Since", "Accounts"];
    const rows = people.map(({ person, role, since, subjects }) => [
      person,
      role ?? "",
      since.slice(0, 10),
      subjects.map(({ issuer, subject }) => `${subject} at ${issuer}`).join(", "),
    ]);
    const columns = headings.map((heading) => ({ heading }));
    context.out.line(renderTable(columns, rows, fitWidth(context), headings.length - 1));
  });
}

async function change(context: Context, verb: "link" | "unlink", person: string, { issuer, subject }: Account): Promise<void> {
  refuseAgent(context, "say which accounts mean whom");
  await asPerson(context, async (client) => {
    await (verb === "link" ? client.linkSubject(person, issuer, subject) : client.unlinkSubject(person, issuer, subject));
    if (context.json) return printJson(context, { person, issuer, subject, linked: verb === "link" });
    context.out.line(verb === "link" ? `${subject} at ${issuer} is ${person}.` : `${subject} at ${issuer} means nobody now.`);
  });
}
