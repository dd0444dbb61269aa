// Checking signed decisions guard by guard, beside node:crypto's own verify over bytes that are ready.
import { createHash, createPublicKey, verify } from "node:crypto";
import { type UsedCredential, verifyEnrolled } from "@hap/core";
import { SIGNATURE_ALGORITHMS, type Signature, type SignatureAlgorithm, type Statement } from "@hap/protocol";
import { Authenticator } from "../packages/core/test/signing/authenticator.ts";
import { type Benchmark, compare, median, perSecond, type Result } from "./measure.ts";

const hash = (digit: string) => `sha256:${digit.repeat(64)}`;
const statement: Statement = {
  typ: "hap.intent/1",
  space: "default",
  runtime: "rt_0123456789abcdefghjkmnpqrs",
  epoch: 1,
  ticket_id: "tk_0123456789abcdefghjkmnpqrs",
  ticket_hash: hash("1"),
  decision: "approve",
  artifact_hash: hash("2"),
  bytes_hash: hash("3"),
  presentation_hash: hash("4"),
  answer_hash: null,
  edits_hash: null,
  comment_hash: null,
  from: "human:0123456789abcdefghjkmnpqrs",
  nonce: `n_${"0f".repeat(16)}`,
  issued_at: "2026-01-31T10:05:00.000Z",
  expires_at: "2026-01-31T10:06:00.000Z",
};
const DIGESTS = { ES256: "sha256", ES384: "sha384", ES512: "sha512", RS256: "sha256", EdDSA: null };

export const signatures: Benchmark = {
  name: "signatures",
  run: ({ quick }) => SIGNATURE_ALGORITHMS.map((algorithm) => measure(algorithm, quick ? 200 : 2000, quick ? 3 : 7)),
};

function measure(algorithm: SignatureAlgorithm, count: number, rounds: number): Result {
  const authenticator = new Authenticator(algorithm);
  const signature = authenticator.assert(statement);
  const raw = rawCheck(authenticator, signature);
  const record = recordOf(authenticator);
  const source = { credential: () => record, anchored: () => true };
  const ours = () => verifyEnrolled(signature, statement, statement.from, source);
  const [measured, baseline]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    baseline.push(perSecond(count, raw));
    measured.push(perSecond(count, ours));
  }
  return compare(
    {
      name: `signed decisions checked, ${algorithm}`,
      value: median(measured),
      unit: "checks/s",
      baseline: { name: "node:crypto verify", value: median(baseline) },
    },
    { least: 0.5 },
  );
}

/** The mathematics alone: the key is read and the bytes are put together before. */
function rawCheck(authenticator: Authenticator, signature: Signature): () => void {
  const bytes = (text: string | undefined) => Buffer.from(text ?? "", "base64url");
  const key = createPublicKey({ key: bytes(authenticator.material.public_key), format: "der", type: "spki" });
  const client = createHash("sha256").update(bytes(signature.client_data_json)).digest();
  const data = Buffer.concat([bytes(signature.authenticator_data), client]);
  const value = bytes(signature.value);
  return () => {
    if (!verify(DIGESTS[authenticator.algorithm], data, key, value)) throw new Error("the signature does not verify");
  };
}

function recordOf({ id, algorithm, rpId, origin, material }: Authenticator): UsedCredential {
  return {
    id,
    seq: 1,
    person: statement.from,
    kind: "passkey",
    algorithm,
    publicKey: material.public_key,
    label: null,
    rpId,
    origins: [origin],
    transports: [],
    userVerification: true,
    trust: "remote",
    createdAt: statement.issued_at,
    revokedAt: null,
    signCount: 1,
    lastUsedAt: null,
  };
}
