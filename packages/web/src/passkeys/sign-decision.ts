// A decision signed by a passkey: the server says what is to be signed, the person's touch covers exactly that (D23).
import { type Decision, statementText, type Ticket } from "@hap/protocol";
import { me } from "../state/session.ts";
import { assertWith } from "./assert.ts";
import { toBase64url } from "./base64url.ts";

type Said = { decision: Decision; comment?: string; answer?: unknown; edits?: Record<string, unknown> };

/** Ask for the statement, have it signed, send it. */
export async function decideByPasskey(ticket: Ticket, said: Said, phrase: string | undefined): Promise<Ticket> {
  const passkeys = (await me().credentials()).filter(({ kind, revoked_at }) => kind === "passkey" && revoked_at === null);
  const { statement } = await me().issueChallenge(ticket.id, said);
  const bytes = new TextEncoder().encode(statementText(statement));
  const challenge = toBase64url(await crypto.subtle.digest("SHA-256", bytes));
  const signature = await assertWith(challenge, passkeys, location.hostname);
  const { decision, ...words } = said;
  return me().submitIntent(
    {
      ticket_id: ticket.id,
      from: me().person,
      decision,
      artifact_hash: statement.artifact_hash,
      nonce: statement.nonce,
      expires_at: statement.expires_at,
      signature,
      ...words,
    },
    phrase === undefined ? {} : { phrase },
  );
}
