// The plan or the report of a deletion, in rows for people.
import { type PersonDeletion, showInvisible } from "@hap/protocol";

/** One row a line. */
export function deletionRows(report: PersonDeletion): string[] {
  const { person, dry_run, erased, open_tickets, mentions, kept, backups, blockers } = report;
  const done = dry_run ? "would be erased" : "erased";
  return [
    `Person: ${person}`,
    ...blockers.map((blocker) => `First: ${blocker}`),
    `Texts ${done}: ${erased.texts}`,
    `Accounts unlinked: ${erased.accounts}; sign-ins ended: ${erased.sessions}; browsers forgotten: ${erased.browsers}; keys revoked: ${erased.credentials_revoked}`,
    ...open_tickets.map(({ ticket_id, becomes }) => `Open ticket ${ticket_id}: ${becomes}`),
    ...(mentions.length === 0 ? [] : ["", `Texts of others that name ${person}:`]),
    ...mentions.flatMap(mentionRows),
    ...(backups.length === 0 ? [] : ["", "Backups:"]),
    ...backups.map(
      ({ path, made_at, result, problem }) => `  ${path} (${made_at}): ${result}${problem === null ? "" : `. ${problem}`}`,
    ),
    "",
    "Kept:",
    ...kept.map(({ what, why }) => `  ${what}. ${why}`),
    ...(dry_run ? ["", "Nothing was changed: this was a dry run."] : []),
  ];
}

function mentionRows({
  digest,
  field,
  ticket_id,
  written_by,
  excerpt,
  decision,
  kept_because,
}: PersonDeletion["mentions"][number]) {
  const where = [field, ticket_id === null ? "" : `of ${ticket_id}`, written_by === null ? "" : `by ${written_by}`];
  const what = kept_because === null ? (decision ?? "undecided") : `keep. ${kept_because}`;
  return [`  ${where.filter(Boolean).join(" ")}: ${showInvisible(excerpt)}`, `    ${digest}: ${what}`];
}
