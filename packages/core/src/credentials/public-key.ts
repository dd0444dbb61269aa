// Public keys (D25): from what a registration or a key file gives to the one form that is kept, and from that to a key that
// can check signatures.
import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { type CredentialKind, readSshPublicKey, type SignatureAlgorithm } from "@hap/protocol";
import { coseToJwk } from "./cose-key.ts";
import { malformed } from "./malformed.ts";
import { SshReader } from "./ssh-wire.ts";

const FIELD = "public_key";
const LEAST_RSA_BITS = 2048;
const CURVE_ALGORITHMS: Record<string, SignatureAlgorithm> = { prime256v1: "ES256", secp384r1: "ES384", secp521r1: "ES512" };

/** A key that is ready to check signatures. `application` is set for an SSH key that lives in hardware. */
export type VerifyingKey = { algorithm: SignatureAlgorithm; key: KeyObject; application: string | null };
/** A key in the form that is kept. */
export type KeptKey = { algorithm: SignatureAlgorithm; public_key: string };

/** A passkey's COSE_Key or SubjectPublicKeyInfo (base64url) as the latter; an SSH public key's line as its bytes. */
export function keepKey(kind: CredentialKind, given: string): KeptKey {
  const kept = kind === "ssh" ? readSshPublicKey(given).key : toSpki(given);
  return { algorithm: readKey(kind, kept).algorithm, public_key: kept };
}

function toSpki(given: string): string {
  const bytes = Buffer.from(given, "base64url");
  if (bytes.toString("base64url") !== given.replace(/=+$/, "")) throw malformed(FIELD, "it is not base64url");
  if (bytes[0] === 0x30) return canonicalSpki(importKey({ key: bytes, format: "der", type: "spki" }));
  return canonicalSpki(importKey({ key: coseToJwk(bytes), format: "jwk" }));
}

function canonicalSpki(key: KeyObject): string {
  return key.export({ format: "der", type: "spki" }).toString("base64url");
}

function importKey(input: Parameters<typeof createPublicKey>[0]): KeyObject {
  try {
    return createPublicKey(input);
  } catch {
    throw malformed(FIELD, "it is no public key that this machine can read");
  }
}

/** Keys are read once: checking many signatures costs little more than the mathematics. */
const known = new Map<string, VerifyingKey>();
const KNOWN_KEYS = 256;

/** A kept key, ready to use. */
export function readKey(kind: CredentialKind, kept: string): VerifyingKey {
  const name = `${kind}:${kept}`;
  const found = known.get(name);
  if (found !== undefined) return found;
  const bytes = Buffer.from(kept, "base64url");
  const made =
    kind === "ssh"
      ? readSshKey(bytes)
      : { ...withAlgorithm(importKey({ key: bytes, format: "der", type: "spki" })), application: null };
  if (known.size >= KNOWN_KEYS) known.clear();
  known.set(name, made);
  return made;
}

function withAlgorithm(key: KeyObject): { algorithm: SignatureAlgorithm; key: KeyObject } {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === "ed25519") return { algorithm: "EdDSA", key };
  if (type === "rsa") {
    if ((details?.modulusLength ?? 0) < LEAST_RSA_BITS) throw malformed(FIELD, `an RSA key needs ${LEAST_RSA_BITS} bits or more`);
    return { algorithm: "RS256", key };
  }
  const algorithm = type === "ec" ? CURVE_ALGORITHMS[details?.namedCurve ?? ""] : undefined;
  if (algorithm === undefined) throw malformed(FIELD, "it is no ES256, ES384, ES512, RS256 or EdDSA key");
  return { algorithm, key };
}

const SSH_CURVES: Record<string, { crv: string; size: number }> = {
  nistp256: { crv: "P-256", size: 32 },
  nistp384: { crv: "P-384", size: 48 },
  nistp521: { crv: "P-521", size: 66 },
};

/** The bytes of an SSH public key (RFC 4253, RFC 5656, RFC 8709, and OpenSSH's keys in hardware). */
function readSshKey(bytes: Uint8Array): VerifyingKey {
  const reader = new SshReader(bytes, FIELD);
  const type = reader.text();
  const inHardware = /^sk-(.+)@openssh\.com$/.exec(type)?.[1];
  const jwk = readSshParts(reader, inHardware ?? type);
  const application = inHardware === undefined ? null : reader.string().toString("utf8");
  reader.end();
  return { ...withAlgorithm(importKey({ key: jwk, format: "jwk" })), application };
}

function readSshParts(reader: SshReader, type: string): JsonWebKey {
  if (type === "ssh-ed25519") return { kty: "OKP", crv: "Ed25519", x: reader.string().toString("base64url") };
  if (type === "ssh-rsa") {
    const e = reader.number().toString("base64url");
    return { kty: "RSA", e, n: reader.number().toString("base64url") };
  }
  const name = /^ecdsa-sha2-(nistp256|nistp384|nistp521)$/.exec(type)?.[1] ?? "";
  const curve = SSH_CURVES[name];
  if (curve === undefined) throw malformed(FIELD, "it is no ed25519, ecdsa or rsa key, in hardware or not");
  if (reader.text() !== name) throw malformed(FIELD, "its curve is not that of its type");
  const point = reader.string();
  if (point.length !== 1 + 2 * curve.size || point[0] !== 4) throw malformed(FIELD, "its point is not one of its curve");
  const half = (start: number) => point.subarray(start, start + curve.size).toString("base64url");
  return { kty: "EC", crv: curve.crv, x: half(1), y: half(1 + curve.size) };
}

/** The SHA-256 of a kept key. */
export function keyDigest(kept: string): Buffer {
  return createHash("sha256").update(Buffer.from(kept, "base64url")).digest();
}

/** As `ssh-keygen -l` prints it. */
export function fingerprintOf(kept: string): string {
  return `SHA256:${keyDigest(kept).toString("base64").replace(/=+$/, "")}`;
}
