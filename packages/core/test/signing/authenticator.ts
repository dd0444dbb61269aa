// An authenticator for tests: real keys, real signatures, the bytes that a browser and its authenticator would make. Every
// part can be made wrong, so that each guard meets the one thing that it is there for.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type AnyStatement, type NewCredential, type Signature, type SignatureAlgorithm, statementText } from "@hap/protocol";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

/** What to do wrong, or otherwise. */
export type Twist = {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  rpId?: string;
  flags?: number;
  counter?: number;
  algorithm?: SignatureAlgorithm;
  credentialId?: string;
  clientData?: (text: string) => string;
};

const KEYS: Record<SignatureAlgorithm, () => { privateKey: KeyObject; publicKey: KeyObject }> = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ES384: () => generateKeyPairSync("ec", { namedCurve: "P-384" }),
  ES512: () => generateKeyPairSync("ec", { namedCurve: "P-521" }),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync("ed25519"),
};
const DIGESTS = { ES256: "sha256", ES384: "sha384", ES512: "sha512", RS256: "sha256", EdDSA: null };

export class Authenticator {
  readonly id = randomBytes(32).toString("base64url");
  readonly algorithm: SignatureAlgorithm;
  readonly rpId: string;
  readonly origin: string;
  readonly #keys: { privateKey: KeyObject; publicKey: KeyObject };
  counter = 1;

  constructor(algorithm: SignatureAlgorithm = "ES256", rpId = "hap.localhost", origin = "http://hap.localhost:8787") {
    this.algorithm = algorithm;
    this.rpId = rpId;
    this.origin = origin;
    this.#keys = KEYS[algorithm]();
  }

  /** What a registration gives, with the key as SubjectPublicKeyInfo. */
  get material(): NewCredential {
    return {
      id: this.id,
      public_key: this.#keys.publicKey.export({ format: "der", type: "spki" }).toString("base64url"),
      sign_count: this.counter,
      transports: ["internal"],
      user_verification: true,
    };
  }

  /** The same with the key as a COSE_Key. */
  get coseMaterial(): NewCredential {
    return { ...this.material, public_key: coseKey(this.#keys.publicKey, this.algorithm).toString("base64url") };
  }

  /** Sign a statement, as told. */
  assert(statement: AnyStatement, twist: Twist = {}): Signature {
    this.counter += 1;
    const clientData = JSON.stringify({
      type: twist.type ?? "webauthn.get",
      challenge: twist.challenge ?? sha256(statementText(statement)).toString("base64url"),
      origin: twist.origin ?? this.origin,
      crossOrigin: twist.crossOrigin ?? false,
    });
    const client = Buffer.from(twist.clientData?.(clientData) ?? clientData);
    const tail = Buffer.alloc(5);
    tail[0] = twist.flags ?? 0x05;
    tail.writeUInt32BE(twist.counter ?? this.counter, 1);
    const data = Buffer.concat([sha256(twist.rpId ?? this.rpId), tail]);
    const signature = sign(DIGESTS[this.algorithm], Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    return {
      algorithm: twist.algorithm ?? this.algorithm,
      value: signature.toString("base64url"),
      credential_id: twist.credentialId ?? this.id,
      authenticator_data: data.toString("base64url"),
      client_data_json: client.toString("base64url"),
    };
  }
}

const COSE = { ES256: [-7, 1], ES384: [-35, 2], ES512: [-36, 3], EdDSA: [-8, 6], RS256: [-257, 0] };

/** A COSE_Key, written out by hand. */
export function coseKey(key: KeyObject, algorithm: SignatureAlgorithm): Buffer {
  const jwk = key.export({ format: "jwk" });
  const bytes = (text: string | undefined) => Buffer.from(text ?? "", "base64url");
  const [alg, crv] = COSE[algorithm] as [number, number];
  const entries: [number, number | Buffer][] =
    algorithm === "RS256"
      ? [
          [1, 3],
          [3, alg],
          [-1, bytes(jwk.n)],
          [-2, bytes(jwk.e)],
        ]
      : algorithm === "EdDSA"
        ? [
            [1, 1],
            [3, alg],
            [-1, crv],
            [-2, bytes(jwk.x)],
          ]
        : [
            [1, 2],
            [3, alg],
            [-1, crv],
            [-2, bytes(jwk.x)],
            [-3, bytes(jwk.y)],
          ];
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([label, value]) => [
      number(label),
      typeof value === "number" ? number(value) : Buffer.concat([head(2, value.length), value]),
    ]),
  ]);
}

const number = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value));

/** The head of a CBOR item. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
