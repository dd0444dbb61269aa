// A new passkey: a first one is vouched for by a code that only a terminal shows, a later one by an older one (D25).
import type { Credential, Signature } from "@hap/protocol";
import { callJson } from "@hap/sdk/page";
import { me, transport } from "../state/session.ts";
import { t } from "../words/words.ts";
import { assertWith, type Passkey } from "./assert.ts";

type Begun = {
  statement: { nonce: string };
  needs: "code" | "assertion";
  options: PublicKeyCredentialCreationOptionsJSON;
};

const post = <T>(path: string, body: unknown) => callJson<T>(transport, { method: "POST", path, body });

/** Passkeys that still count. */
async function myPasskeys(): Promise<Passkey[]> {
  return (await me().credentials()).filter(({ kind, revoked_at }) => kind === "passkey" && revoked_at === null);
}

/** Make a passkey. `askCode` is called when a code must be typed. */
export async function enrolPasskey(label: string, askCode: () => Promise<string>): Promise<Credential> {
  const begun = await post<Begun>("/v1/credentials/enrolment", { kind: "passkey", label: label === "" ? null : label });
  const { nonce } = begun.statement;
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(begun.options);
  const made = (await navigator.credentials.create({ publicKey: options })) as PublicKeyCredential | null;
  if (made === null) throw new Error(t("passkeys.enrol.noPasskeyWasMade"));
  const registration = made.toJSON() as unknown;
  const proof = begun.needs === "code" ? { code: await askCode() } : { assertion: await vouch(nonce, registration) };
  return post<Credential>("/v1/credentials", { nonce, registration, ...proof });
}

async function vouch(nonce: string, registration: unknown): Promise<Signature> {
  const { challenge } = await post<{ challenge: string }>("/v1/credentials/vouch", { nonce, registration });
  return assertWith(challenge, await myPasskeys(), location.hostname);
}

/** Sign in with a passkey that this page knows. */
export async function signInByPasskey(): Promise<void> {
  const begun = await post<{ statement: { nonce: string }; challenge: string; rp_id: string }>("/v1/login/passkey/begin", {});
  // Whose passkeys there are is not told before somebody is signed in: the browser offers those that it has.
  const { algorithm: _unknown, ...assertion } = await assertWith(begun.challenge, [], begun.rp_id);
  await post("/v1/login/passkey", { nonce: begun.statement.nonce, assertion });
}
