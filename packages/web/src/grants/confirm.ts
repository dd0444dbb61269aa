// What puts a grant in force, or ends a denial: a passkey's signature over its statement, a typed phrase, or nothing (D43).
import { statementText } from "@hap/protocol";
import { assertWith } from "../passkeys/assert.ts";
import { toBase64url } from "../passkeys/base64url.ts";
import { me } from "../state/session.ts";

type Begun = { statement: { nonce: string }; needs: "signature" | "phrase" | null };
type Confirmed = NonNullable<Parameters<ReturnType<typeof me>["endGrant"]>[1]>;

/** Confirm what was begun; `askPhrase` shows the phrase and gives what was typed, or null. Null when the person went back. */
export async function confirmBegun(
  begun: Begun,
  askPhrase: (phrase: string) => Promise<string | null>,
): Promise<Confirmed | null> {
  const { nonce } = begun.statement;
  if (begun.needs === null) return { nonce };
  if (begun.needs === "phrase") {
    const typed = await askPhrase((await me().issueGrantPhrase(nonce)).phrase);
    return typed === null ? null : { nonce, phrase: typed };
  }
  const passkeys = (await me().credentials()).filter(({ kind, revoked_at }) => kind === "passkey" && revoked_at === null);
  const bytes = new TextEncoder().encode(statementText(begun.statement as never));
  const challenge = toBase64url(await crypto.subtle.digest("SHA-256", bytes));
  return { nonce, assertion: await assertWith(challenge, passkeys, location.hostname) };
}
