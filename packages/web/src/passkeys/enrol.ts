// A new passkey: a first one is vouched for by a code that only a terminal shows, a later one by an older one (D25).
import type { Credential, Signature } from "@hap/protocol";
import { sendAsPerson } from "@hap/sdk/page";
import { me, server, transport } from "../state/session.ts";
import { t } from "../words/words.ts";
import { assertWith, type Passkey } from "./assert.ts";

const asPerson = sendAsPerson(transport);

/** What the browser says of a new passkey. */
type Registration = { id: string; rawId: string; type: string; response: Record<string, unknown> };

/** Passkeys that still count. */
async function myPasskeys(): Promise<Passkey[]> {
  return (await me().credentials()).filter(({ kind, revoked_at }) => kind === "passkey" && revoked_at === null);
}

/** Make a passkey. `askCode` is called when a code must be typed. */
export async function enrolPasskey(label: string, askCode: () => Promise<string>): Promise<Credential> {
  const begun = await asPerson("beginEnrolment", { kind: "passkey", label: label === "" ? null : label });
  const { nonce } = begun.statement;
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(
    begun.options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = (await navigator.credentials.create({ publicKey: options })) as PublicKeyCredential | null;
  if (made === null) throw new Error(t("passkeys.notMade"));
  const registration = made.toJSON() as unknown as Registration;
  const proof = begun.needs === "code" ? { code: await askCode() } : { assertion: await vouch(nonce, registration) };
  return asPerson("enrolCredential", { nonce, registration, ...proof });
}

async function vouch(nonce: string, registration: Registration): Promise<Signature> {
  const { challenge } = await asPerson("enrolmentChallenge", { nonce, registration });
  return assertWith(challenge, await myPasskeys(), location.hostname);
}

/** Sign in with a passkey that this page knows. */
export async function signInByPasskey(): Promise<void> {
  const begun = await server("beginPasskeyLogin", {});
  // Whose passkeys there are is not told before somebody is signed in: the browser offers those that it has.
  const { algorithm: _unknown, ...assertion } = await assertWith(begun.challenge, [], begun.rp_id);
  await server("loginByPasskey", { nonce: (begun.statement as { nonce: string }).nonce, assertion });
}
