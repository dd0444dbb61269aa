// An SSH signature (OpenSSH's PROTOCOL.sshsig) over a statement, for keys in files and in hardware, guard after guard.
import { hash, verify } from "node:crypto";
import { HapError, quote, type Signature } from "@hap/protocol";
import { malformed } from "./malformed.ts";
import type { VerifyingKey } from "./public-key.ts";
import type { CredentialRecord } from "./record.ts";
import { SshReader, sshString } from "./ssh-wire.ts";
import { guardPresence, isUserVerified, type Shown } from "./webauthn.ts";

const MAGIC = Buffer.from("SSHSIG");
const FIELD = "signature";

/** What each signature format hashes with, and how large the numbers of an ECDSA signature are. */
const FORMATS: Record<string, { digest: string | null; size: number | null; family: VerifyingKey["algorithm"] }> = {
  "ssh-ed25519": { digest: null, size: null, family: "EdDSA" },
  "ecdsa-sha2-nistp256": { digest: "sha256", size: 32, family: "ES256" },
  "ecdsa-sha2-nistp384": { digest: "sha384", size: 48, family: "ES384" },
  "ecdsa-sha2-nistp521": { digest: "sha512", size: 66, family: "ES512" },
  "rsa-sha2-256": { digest: "sha256", size: null, family: "RS256" },
  "rsa-sha2-512": { digest: "sha512", size: null, family: "RS256" },
};

/** Check a signature by `ssh-keygen -Y sign` over the text of a statement; null where no hardware says who was there. */
export function verifySshSignature(
  text: string,
  namespace: string,
  signature: Signature,
  credential: CredentialRecord,
  key: VerifyingKey,
): Shown | null {
  const reader = new SshReader(Buffer.from(signature.value, "base64url"), FIELD);
  if (!reader.bytes(MAGIC.length).equals(MAGIC) || reader.uint32() !== 1) throw malformed(FIELD, "it is no SSH signature");
  const publicKey = reader.string().toString("base64url");
  const signedFor = reader.text();
  const reserved = reader.string();
  const hashName = reader.text();
  const inner = new SshReader(reader.string(), FIELD);
  reader.end();
  if (publicKey !== credential.publicKey) {
    throw new HapError("credential_mismatch", "Signed by the wrong key: it is not the one that is named. Sign with that key.", {
      field: FIELD,
    });
  }
  if (signedFor !== namespace) {
    throw new HapError(
      "ceremony_mismatch",
      `Signed for another purpose: the namespace is ${quote(signedFor)}, expected "${namespace}". Sign with -n ${namespace}.`,
      { field: FIELD },
    );
  }
  if (hashName !== "sha256" && hashName !== "sha512") throw malformed(FIELD, "its hash is neither sha256 nor sha512");
  const message = Buffer.concat([
    MAGIC,
    sshString(signedFor),
    sshString(reserved),
    sshString(hashName),
    sshString(hash(hashName, text, "buffer")),
  ]);
  return verifyInner(inner, message, key);
}

function verifyInner(inner: SshReader, message: Buffer, key: VerifyingKey): Shown | null {
  const name = inner.text();
  const inHardware = /^sk-(.+)@openssh\.com$/.exec(name)?.[1];
  const format = FORMATS[inHardware ?? name];
  if (format === undefined || format.family !== key.algorithm || (inHardware !== undefined) !== (key.application !== null))
    throw malformed(FIELD, `${quote(name)} is not how this key signs`);
  const value = readValue(inner.string(), format.size);
  const check = (data: Buffer) => {
    const dsaEncoding = "ieee-p1363" as const;
    if (!verify(format.digest, data, { key: key.key, dsaEncoding }, value))
      throw malformed(FIELD, "the enrolled key did not make it");
  };
  if (key.application === null) {
    inner.end();
    check(message);
    return null;
  }
  const tail = inner.bytes(5);
  inner.end();
  const flags = tail[0] as number;
  guardPresence(flags);
  check(Buffer.concat([hash("sha256", key.application, "buffer"), tail, hash("sha256", message, "buffer")]));
  return { userVerified: isUserVerified(flags), counter: tail.readUInt32BE(1) };
}

/** ECDSA's two numbers at their full size, one after the other; the others are bytes as they are. */
function readValue(bytes: Buffer, size: number | null): Buffer {
  if (size === null) return bytes;
  const reader = new SshReader(bytes, FIELD);
  const value = Buffer.concat([reader.number(size), reader.number(size)]);
  reader.end();
  return value;
}
