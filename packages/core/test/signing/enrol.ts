// Enrolling in tests as a person does: a code for the first key, an assertion for the next.
import type { AnyStatement, Credential, NewCredential, Signature } from "@hap/protocol";
import type { HapEngine } from "../../src/index.ts";
import type { Authenticator } from "./authenticator.ts";

type Signer = (statement: AnyStatement) => Signature;

/** Enrol a passkey. */
export function enrolPasskey(
  engine: HapEngine,
  authenticator: Authenticator,
  options: { person?: string; by?: Signer; label?: string; material?: NewCredential } = {},
): Credential {
  const { person = "alex", by, label, material = authenticator.material } = options;
  const site = { rp_id: authenticator.rpId, origin: authenticator.origin };
  return finish(engine, { person, kind: "passkey", label, ...site }, material, by);
}

/** Enrol an SSH key by the line of its public key file. */
export function enrolSsh(engine: HapEngine, line: string, options: { person?: string; by?: Signer } = {}): Credential {
  return finish(engine, { person: options.person ?? "alex", kind: "ssh" }, { public_key: line }, options.by);
}

function finish(
  engine: HapEngine,
  input: Parameters<HapEngine["beginEnrolment"]>[0],
  credential: NewCredential,
  by: Signer | undefined,
): Credential {
  const { statement } = engine.beginEnrolment(input);
  if (by === undefined) {
    const { code } = engine.issueCode({ purpose: "enrol", person: input.person });
    return engine.enrolCredential({ nonce: statement.nonce, credential, code });
  }
  const vouch = engine.enrolmentChallenge(statement.nonce, credential);
  return engine.enrolCredential({ nonce: statement.nonce, credential, assertion: by(vouch.statement) });
}
