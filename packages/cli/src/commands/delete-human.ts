// hap delete-human: a person is deleted from the store and its backups; the log still verifies (draft 19.1).
import { type DeletePersonInput, HapError, type PersonDeletion } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { deletionRows } from "../show/deletion-rows.ts";
import { printJson } from "../show/print-ticket.ts";
import { typePhrase } from "../terminal/confirm.ts";
import { TerminalDevice } from "../terminal/device.ts";

type Options = { humanId: string; dryRun?: true; also?: string[]; mentions?: string; erase?: string[]; reassignTo?: string };
type Decisions = Record<string, "erase" | "keep">;

export function define(command: Command, context: Context): void {
  command
    .description(
      "Delete a person: name, accounts, sign-ins and every text they wrote are erased, from the store and from the backups that hap backup made; keys are revoked, open tickets are canceled. The log still verifies and shows an erased person. Texts of others that name them are listed, and you decide on each. For oneself, or, as an owner, for anybody. It cannot be undone.",
    )
    .requiredOption("--human-id <ID>", "who: human:NAME")
    .option("--dry-run", "only say what would be erased and what would be kept, and why")
    .option("--also <WORDS...>", "further words to search texts of others for: a full name, an address")
    .option("--mentions <WHAT>", "texts of others that name them: erase or keep all (default: ask about each)")
    .option("--erase <DIGEST...>", "erase these of them, by digest; the others are kept")
    .option("--reassign-to <PERSON>", "who gets the open tickets, instead of canceling them")
    .addHelpText(
      "after",
      examples(
        "hap delete-human --human-id=human:alex --dry-run",
        "hap delete-human --human-id=human:alex --mentions erase --reassign-to human:sam",
      ),
    )
    .action((options: Options) => deleteHuman(context, options));
}

async function deleteHuman(context: Context, options: Options): Promise<void> {
  refuseAgent(context, "delete anybody");
  const { humanId, dryRun, also, reassignTo } = options;
  const common: DeletePersonInput = { also, reassign_to: reassignTo };
  await asPerson(context, async (client) => {
    const decided = readDecision(options);
    const plan = await client.deletePerson(humanId, { ...common, mentions: await decided(client), dry_run: true });
    if (dryRun === true) return print(context, plan);
    refuseBlocked(plan);
    const mentions = decide(plan);
    const rows = deletionRows({
      ...plan,
      mentions: plan.mentions.map((one) => ({ ...one, decision: mentions[one.digest] ?? null })),
    });
    const what = `Deleting ${plan.person}`;
    const phrase = await typePhrase({ what, rows }, async () => (await client.issueDeletionPhrase(humanId)).phrase);
    const report = await client.deletePerson(humanId, { ...common, mentions, phrase });
    print(context, report);
    refuseFailed(report);
  });

  /** What the options say about texts of others; with --erase, all others are kept. */
  function readDecision({ mentions, erase }: Options): (client: PersonClient) => Promise<DeletePersonInput["mentions"]> {
    if (mentions !== undefined && mentions !== "erase" && mentions !== "keep")
      throw new HapError("invalid_input", `--mentions is ${mentions}; it must be erase or keep.`, { field: "--mentions" });
    if (erase === undefined) return async () => mentions;
    return async (client) => {
      const { mentions: found } = await client.deletePerson(humanId, { ...common, dry_run: true });
      const unknown = erase.find((digest) => !found.some((mention) => mention.digest === digest));
      if (unknown !== undefined)
        throw new HapError("invalid_input", `No text that names ${humanId} has the digest ${unknown}.`, { field: "--erase" });
      return Object.fromEntries(found.map(({ digest }) => [digest, erase.includes(digest) ? "erase" : (mentions ?? "keep")]));
    };
  }
}

function print(context: Context, report: PersonDeletion): void {
  if (context.json) printJson(context, report);
  else for (const row of deletionRows(report)) context.out.line(row);
}

function refuseBlocked({ person, blockers }: PersonDeletion): void {
  if (blockers.length > 0)
    throw new HapError("wrong_state", `${person} cannot be deleted yet. ${blockers.join(" ")}`, { blockers });
}

/** Ask about each text that is still undecided, at the terminal. */
function decide({ mentions }: PersonDeletion): Decisions {
  const decisions: Decisions = Object.fromEntries(
    mentions.flatMap(({ digest, decision }) => (decision === null ? [] : [[digest, decision] as const])),
  );
  const open = mentions.filter(({ decision }) => decision === null);
  if (open.length === 0) return decisions;
  const device = new TerminalDevice(`What happens to ${open.length} texts of others`);
  try {
    for (const [index, { digest, field, written_by, ticket_id, excerpt }] of open.entries()) {
      const where = [field, ticket_id === null ? "" : `of ${ticket_id}`, written_by === null ? "" : `by ${written_by}`];
      device.write(`\n${index + 1} of ${open.length}: ${where.filter(Boolean).join(" ")}\n  ${excerpt}\n`);
      decisions[digest] = askOne(device);
    }
    return decisions;
  } finally {
    device.close();
  }
}

function askOne(device: TerminalDevice): "erase" | "keep" {
  for (let tries = 0; tries < 5; tries++) {
    device.write("Erase or keep it? [erase/keep] ");
    const typed = device.readLine().trim().toLowerCase();
    if (typed === "erase" || typed === "e") return "erase";
    if (typed === "keep" || typed === "k") return "keep";
  }
  throw new HapError("confirmation_needed", "Nothing was deleted: each text needs the word erase or keep.");
}

/** A backup that still holds the person is a failure, and the exit code says so. */
function refuseFailed({ person, backups }: PersonDeletion): void {
  const failed = backups.filter(({ result }) => result === "failed");
  if (failed.length === 0) return;
  throw new HapError(
    "store_unusable",
    `${person} is deleted from the store, but not from ${failed.map(({ path }) => path).join(", ")}. Delete those files, or run the command there: HAP_DB_PATH=FILE hap delete-human --human-id=${person}.`,
  );
}
