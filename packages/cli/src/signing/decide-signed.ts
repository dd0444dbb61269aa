// A yes and how it is given (D3): what the runtime needs for it, and a signature where one is needed or wanted.
import { HapError, isOpen, shortCode, type Ticket } from "@hap/protocol";
import type { Needed, PersonClient } from "@hap/sdk";
import type { Context } from "../context.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import { findSigningKey, keyFileOf, type SigningKey, signWithSsh } from "./ssh-key.ts";

/** What a yes is given with: the phrase, or not, and a key, or none. */
export type Means = { confirm: boolean; key: SigningKey | null };

/** What this yes needs, before anything is asked of the person; an error says what to do where a signature cannot be made. */
export async function meansOf(
  context: Context,
  client: PersonClient,
  ticket: Ticket,
  sshKey: string | undefined,
): Promise<Means> {
  // What has ended is refused by the runtime, which says how it ended.
  if (!isOpen(ticket.state)) return { confirm: false, key: null };
  const needed = await client.needed(ticket.id);
  const file = needed.signature === null ? sshKey : keyFileOf(context, sshKey);
  if (file !== undefined) return { confirm: needed.confirmed, key: await findSigningKey(client, file) };
  if (needed.signature !== null) throw await signatureNeeded(context, client, ticket, needed);
  return { confirm: needed.confirmed, key: null };
}

async function signatureNeeded(context: Context, client: PersonClient, ticket: Ticket, needed: Needed): Promise<HapError> {
  const keys = (await client.credentials()).filter(({ revoked_at }) => revoked_at === null);
  const ssh = keys.some(({ kind }) => kind === "ssh");
  const passkey = keys.some(({ kind }) => kind === "passkey");
  const code = shortCode(ticket.id);
  const page = reviewPage(context, client, ticket);
  // The page is where a passkey is; the person gets the address in any case.
  if (passkey && page !== null && context.out.isTerminal) openBrowser(page, context.env);
  const ways = [
    ...(passkey ? [`sign it with your passkey on the review page${page === null ? "" : `, ${page}`}`] : []),
    ...(ssh && needed.signature === "key"
      ? [`name an SSH key of yours: hap approve ${code} --ssh-key FILE (or set HAP_SSH_KEY)`]
      : []),
    ...(keys.length === 0 ? ["add a key first: hap credential add-ssh ~/.ssh/id_ed25519.pub"] : []),
  ];
  const how = ways.length === 0 ? "add a passkey on the review page" : ways.join("; or ");
  const least = needed.signature === "passkey" ? " by a passkey" : "";
  return new HapError("signature_needed", `A yes to ${ticket.id} must be signed${least}: ${how}.`, {
    ticket_id: ticket.id,
    least: needed.signature,
  });
}

/** Where this ticket is decided on a page: at the server that we speak to, or at HAP_REVIEW_URL. */
function reviewPage({ env }: Context, { place }: PersonClient, { id }: Ticket): string | null {
  const base = /^https?:/.test(place) ? place : env.HAP_REVIEW_URL;
  return base ? `${base.replace(/\/+$/, "")}/tickets/${id}` : null;
}

/** What is said; the runtime fixes everything else. */
type Said = { decision: "approve" | "answer"; comment?: string; answer?: unknown; edits?: Record<string, unknown> };

/** Sign what the runtime gives out for this decision, and hand it in. */
export async function decideSigned(
  client: PersonClient,
  ticket: Ticket,
  said: Said,
  key: SigningKey,
  typed: { phrase?: string },
): Promise<Ticket> {
  const { statement } = await client.issueChallenge(ticket.id, said);
  const { ticket_id, decision, artifact_hash, expires_at, nonce } = statement;
  const signature = signWithSsh(key, statement);
  const intent = { ticket_id, from: client.person, decision, artifact_hash, expires_at, nonce, signature };
  return client.submitIntent(intent, typed);
}
