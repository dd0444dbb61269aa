// A touch of a passkey over a challenge, as the signature that the protocol carries (D23).
import type { Credential, Signature } from "@hap/protocol";
import { t } from "../words/words.ts";
import { fromBase64url, toBase64url } from "./base64url.ts";

export type Passkey = Pick<Credential, "id" | "algorithm">;

/** Sign a challenge with one of these passkeys; the authenticator verifies its user. */
export async function assertWith(challenge: string, passkeys: readonly Passkey[], rpId: string): Promise<Signature> {
  const made = (await navigator.credentials.get({
    publicKey: {
      challenge: fromBase64url(challenge),
      rpId,
      allowCredentials: passkeys.map(({ id }) => ({ type: "public-key", id: fromBase64url(id) })),
      userVerification: "required",
    },
  })) as PublicKeyCredential | null;
  if (made === null) throw new Error(t("passkeys.notUsed"));
  const response = made.response as AuthenticatorAssertionResponse;
  const id = toBase64url(made.rawId);
  return {
    algorithm: passkeys.find((passkey) => passkey.id === id)?.algorithm ?? "ES256",
    value: toBase64url(response.signature),
    credential_id: id,
    authenticator_data: toBase64url(response.authenticatorData),
    client_data_json: toBase64url(response.clientDataJSON),
  };
}

/** What the browser says when a person changes their mind, or no passkey fits. */
export function passkeyWords(error: unknown): string {
  if (error instanceof DOMException && error.name === "NotAllowedError") return t("passkeys.refused");
  return error instanceof Error ? error.message : String(error);
}
