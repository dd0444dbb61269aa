// A WebAuthn assertion over a statement (D23, D24; W3C WebAuthn 7.2), guard after guard, each failure with its own code.
import { hash, verify } from "node:crypto";
import { HapError, quote, type Signature, type SignatureAlgorithm } from "@hap/protocol";
import type { VerifyingKey } from "./public-key.ts";
import type { CredentialRecord } from "./record.ts";

/** What a good signature shows about the moment of signing. */
export type Shown = { userVerified: boolean; counter: number };

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const SMALLEST_AUTHENTICATOR_DATA = 37;
const DIGESTS: Record<SignatureAlgorithm, string | null> = {
  ES256: "sha256",
  ES384: "sha384",
  ES512: "sha512",
  RS256: "sha256",
  EdDSA: null,
};

/** Check an assertion over the text of a statement by a passkey. The counter is checked by the caller. */
export function verifyAssertion(text: string, signature: Signature, credential: CredentialRecord, key: VerifyingKey): Shown {
  const { client_data_json: clientData, authenticator_data: authenticatorData } = signature;
  if (clientData === undefined || authenticatorData === undefined)
    throw invalid("a passkey's signature comes with authenticator_data and client_data_json");
  const clientBytes = Buffer.from(clientData, "base64url");
  guardClientData(readClientData(clientBytes), text, credential);
  const data = Buffer.from(authenticatorData, "base64url");
  if (data.length < SMALLEST_AUTHENTICATOR_DATA) throw invalid("its authenticator data are too short");
  guardRpId(data.subarray(0, 32), credential);
  const flags = data[32] as number;
  guardPresence(flags);
  if ((flags & USER_VERIFIED) === 0) {
    throw new HapError(
      "user_verification_missing",
      "User verification missing: the passkey was used without PIN, fingerprint or face. Sign again and unlock it.",
      { field: "signature" },
    );
  }
  const signed = Buffer.concat([data, hash("sha256", clientBytes, "buffer")]);
  const value = Buffer.from(signature.value, "base64url");
  if (!verify(DIGESTS[key.algorithm], signed, key.key, value)) throw invalid("the enrolled key did not make it");
  return { userVerified: true, counter: data.readUInt32BE(33) };
}

type ClientData = { type: unknown; challenge: unknown; origin: unknown; crossOrigin?: unknown };

function readClientData(bytes: Buffer): ClientData {
  try {
    const value = JSON.parse(bytes.toString("utf8"));
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Told below, like any other misshaped client data.
  }
  throw invalid("its client data are not JSON");
}

function guardClientData(client: ClientData, text: string, { origins }: CredentialRecord): void {
  if (client.type !== "webauthn.get") {
    throw new HapError(
      "ceremony_mismatch",
      `Signed for another purpose: the client data say ${quote(String(client.type))}, expected "webauthn.get".`,
      { field: "client_data_json" },
    );
  }
  if (client.challenge !== hash("sha256", text, "base64url")) {
    throw new HapError(
      "statement_mismatch",
      "Statement mismatch: what was signed is not what HAP gave out. Ask for a new challenge.",
      { field: "client_data_json" },
    );
  }
  if (client.crossOrigin !== true && origins.includes(client.origin as string)) return;
  const where = client.crossOrigin === true ? "inside a page of another origin" : `at ${quote(String(client.origin))}`;
  throw new HapError("origin_mismatch", `Origin mismatch: signed ${where}, expected ${origins.join(" or ")}.`, {
    field: "client_data_json",
    expected: origins,
  });
}

function guardRpId(rpIdHash: Buffer, { rpId }: CredentialRecord): void {
  if (rpIdHash.equals(hash("sha256", rpId ?? "", "buffer"))) return;
  throw new HapError("rp_mismatch", `RP id mismatch: the passkey was used for another RP id than ${rpId}.`, {
    field: "authenticator_data",
    expected: rpId,
  });
}

/** Somebody touched it. */
export function guardPresence(flags: number): void {
  if ((flags & USER_PRESENT) !== 0) return;
  throw new HapError("user_presence_missing", "User presence missing: nobody touched the key. Sign again and touch it.", {
    field: "signature",
  });
}

/** True when the flags say that PIN, fingerprint or face were checked. */
export function isUserVerified(flags: number): boolean {
  return (flags & USER_VERIFIED) !== 0;
}

function invalid(what: string): HapError {
  return new HapError("signature_invalid", `Signature invalid: ${what}.`, { field: "signature" });
}
