// A COSE_Key (RFC 9052) as authenticators give it: a small CBOR map of numbers to numbers and bytes, turned into a JWK.
import type { JsonWebKey } from "node:crypto";
import { malformed } from "./malformed.ts";

const FIELD = "public_key";
const KTY = 1;
const ALG = 3;
const CURVES = new Map<number, string>([
  [1, "P-256"],
  [2, "P-384"],
  [3, "P-521"],
  [6, "Ed25519"],
]);
/** The key types, and the algorithms that each may be used with. */
const OKP = { kty: 1, algorithms: [-8] };
const EC2 = { kty: 2, algorithms: [-7, -35, -36] };
const RSA = { kty: 3, algorithms: [-257] };

/** The public key as a JWK; anything but the signing keys that HAP knows is refused. */
export function coseToJwk(bytes: Uint8Array): JsonWebKey {
  const map = readMap(bytes);
  const [kty, algorithm] = [map.get(KTY), map.get(ALG)];
  const part = (label: number): string => {
    const value = map.get(label);
    if (value instanceof Uint8Array) return Buffer.from(value).toString("base64url");
    throw malformed(FIELD, `its COSE part ${label} is missing`);
  };
  const curve = CURVES.get(map.get(-1) as number);
  const is = (type: typeof OKP) => kty === type.kty && type.algorithms.includes(algorithm as number);
  if (is(OKP) && curve === "Ed25519") return { kty: "OKP", crv: curve, x: part(-2) };
  if (is(EC2) && curve !== undefined && curve !== "Ed25519") return { kty: "EC", crv: curve, x: part(-2), y: part(-3) };
  if (is(RSA)) return { kty: "RSA", n: part(-1), e: part(-2) };
  throw malformed(FIELD, "it is no ES256, ES384, ES512, RS256 or EdDSA key");
}

/** A CBOR map with whole numbers as keys, and whole numbers or bytes as values. */
function readMap(bytes: Uint8Array): Map<number, number | Uint8Array> {
  const buffer = Buffer.from(bytes);
  let at = 0;
  const take = (count: number): Buffer => {
    if (count > buffer.length - at) throw malformed(FIELD, "its COSE key ends too early");
    at += count;
    return buffer.subarray(at - count, at);
  };
  const head = (): { major: number; value: number } => {
    const first = take(1)[0] as number;
    const small = first & 31;
    if (small < 24) return { major: first >> 5, value: small };
    if (small > 26) throw malformed(FIELD, "its COSE key holds what no key needs");
    const size = 1 << (small - 24);
    return { major: first >> 5, value: take(size).readUIntBE(0, size) };
  };
  const value = (): number | Uint8Array => {
    const { major, value: number } = head();
    if (major === 0) return number;
    if (major === 1) return -1 - number;
    if (major === 2) return take(number);
    throw malformed(FIELD, "its COSE key holds something else than numbers and bytes");
  };
  const { major, value: entries } = head();
  if (major !== 5) throw malformed(FIELD, "it is neither a COSE_Key nor a SubjectPublicKeyInfo");
  const map = new Map<number, number | Uint8Array>();
  for (let i = 0; i < entries; i++) {
    const label = value();
    if (typeof label !== "number" || map.has(label)) throw malformed(FIELD, "its COSE key names a part twice, or by no number");
    map.set(label, value());
  }
  if (at !== buffer.length) throw malformed(FIELD, "something follows its COSE key");
  return map;
}
