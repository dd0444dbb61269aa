// A new passkey: what the authenticator says is checked by the library made for it, then the engine keeps the key.
import { HapError, type NewCredential } from "@hap/protocol";
import { type RegistrationResponseJSON, verifyRegistrationResponse } from "@simplewebauthn/server";

/** COSE numbers of the algorithms that we can check, the one that most can read first: ES256, EdDSA, ES384, ES512, RS256. */
const ALGORITHMS = [-7, -8, -35, -36, -257];

/** What the browser is told when it is to make a passkey. */
export function creationOptions(input: {
  challenge: string;
  rpId: string;
  person: string;
  handle: string;
  exclude: readonly { id: string; transports: readonly string[] }[];
}): Record<string, unknown> {
  const name = input.person.replace(/^human:/, "");
  return {
    rp: { id: input.rpId, name: "HAP" },
    user: { id: Buffer.from(input.handle).toString("base64url"), name, displayName: name },
    challenge: input.challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: 120_000,
    attestation: "none",
    excludeCredentials: input.exclude.map(({ id, transports }) => ({ type: "public-key", id, transports })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  };
}

/** The key material of a registration that holds. */
export async function readRegistration(
  response: RegistrationResponseJSON,
  expected: { challenge: string; origin: string; rpId: string },
): Promise<NewCredential> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified || registrationInfo === undefined) throw new Error("it does not verify");
    const { credential, userVerified } = registrationInfo;
    return {
      id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      sign_count: credential.counter,
      transports: (credential.transports ?? []) as string[],
      user_verification: userVerified,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HapError(
      "signature_invalid",
      `Signature invalid: the new passkey cannot be taken (${why.slice(0, 200)}). Begin again.`,
      {
        field: "registration",
      },
    );
  }
}
