// Making a grant at a terminal (D43): what it would have answered is shown first, then it is signed, or confirmed by a phrase.
import type { GrantInput, GrantPreview, GrantView } from "@hap/protocol";
import { HapError, showInvisible } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Context } from "../context.ts";
import { moment } from "../show/time-words.ts";
import { findSigningKey, keyFileOf, signWithSsh } from "../signing/ssh-key.ts";
import { typePhrase } from "../terminal/confirm.ts";

/** How many matching tickets are listed. */
const LISTED = 8;

/** Begin, confirm and make a grant. */
export async function makeGrant(
  context: Context,
  client: PersonClient,
  input: GrantInput,
  sshKey: string | undefined,
): Promise<GrantView> {
  const { statement, needs, words, preview } = await client.beginGrant(input);
  const rows = [showInvisible(words), ends(statement.ends_at), "", ...previewRows(preview)];
  const { nonce } = statement;
  if (needs === "signature") {
    for (const row of rows) context.err.line(row);
    return client.createGrant({ nonce, assertion: signWithSsh(await signingKey(context, client, sshKey), statement) });
  }
  if (needs === null) return client.createGrant({ nonce });
  const phrase = await typePhrase({ what: "A grant", rows }, async () => (await client.issueGrantPhrase(nonce)).phrase);
  return client.createGrant({ nonce, phrase });
}

/** The key that signs; without one there is nothing to sign with here. */
export async function signingKey(context: Context, client: PersonClient, sshKey: string | undefined) {
  const file = keyFileOf(context, sshKey);
  if (file !== undefined) return findSigningKey(client, file);
  throw new HapError(
    "signature_needed",
    "You have a key, so this must be signed: name your SSH key with --ssh-key FILE or HAP_SSH_KEY, or use your passkey on the page.",
    { field: "--ssh-key" },
  );
}

function ends(endsAt: string | null): string {
  return endsAt === null ? "It has no end." : `It ends at ${moment(endsAt)}.`;
}

/** What a grant would have answered among the newest tickets. */
export function previewRows({ tickets, matches, approved, rejected, other }: GrantPreview): string[] {
  if (matches.length === 0) return [`It would have answered none of the last ${tickets} tickets.`];
  const counts = `${approved} approved, ${rejected} rejected, ${other} open or ended otherwise`;
  const listed = matches.slice(0, LISTED).map(({ id, summary, outcome }) => `  ${id}  ${outcome ?? "open"}  ${summary}`);
  const more = matches.length > LISTED ? [`  and ${matches.length - LISTED} more`] : [];
  return [
    `It would have answered ${matches.length} of the last ${tickets} tickets: ${counts}.`,
    ...listed.map((row) => showInvisible(row)),
    ...more,
  ];
}
