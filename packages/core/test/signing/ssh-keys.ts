// SSH keys for tests: made and used by the real ssh-keygen, and keys in hardware that this file plays.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyStatement, readSshSignature, type Signature, sshNamespace, statementText } from "@hap/protocol";
import { sshString } from "../../src/credentials/ssh-wire.ts";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

/** The kinds of key that ssh-keygen makes without hardware. */
export const SSH_KINDS = {
  ed25519: { args: ["-t", "ed25519"], algorithm: "EdDSA" },
  ecdsa256: { args: ["-t", "ecdsa", "-b", "256"], algorithm: "ES256" },
  ecdsa384: { args: ["-t", "ecdsa", "-b", "384"], algorithm: "ES384" },
  ecdsa521: { args: ["-t", "ecdsa", "-b", "521"], algorithm: "ES512" },
  rsa: { args: ["-t", "rsa", "-b", "2048"], algorithm: "RS256" },
} as const satisfies Record<string, { args: readonly string[]; algorithm: Signature["algorithm"] }>;

/** A key pair in a folder, made by ssh-keygen. */
export class SshKey {
  readonly file: string;
  readonly algorithm: Signature["algorithm"];

  constructor(folder: string, kind: keyof typeof SSH_KINDS, name: string = kind) {
    this.file = join(folder, name);
    this.algorithm = SSH_KINDS[kind].algorithm;
    execFileSync("ssh-keygen", ["-q", "-N", "", "-C", "alex@laptop", "-f", this.file, ...SSH_KINDS[kind].args]);
  }

  /** The line of its public key file. */
  get line(): string {
    return readFileSync(`${this.file}.pub`, "utf8").trim();
  }

  /** Its fingerprint in the words of ssh-keygen. */
  get fingerprint(): string {
    return execFileSync("ssh-keygen", ["-l", "-f", `${this.file}.pub`], { encoding: "utf8" }).split(" ")[1] as string;
  }

  get id(): string {
    return sha256(Buffer.from(this.line.split(" ")[1] as string, "base64")).toString("base64url");
  }

  sign(statement: AnyStatement, change: { namespace?: string; options?: readonly string[]; text?: string } = {}): Signature {
    const armour = execFileSync(
      "ssh-keygen",
      ["-q", "-Y", "sign", "-n", change.namespace ?? sshNamespace(statement.typ), "-f", this.file, ...(change.options ?? [])],
      { input: change.text ?? statementText(statement), encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] },
    );
    return { algorithm: this.algorithm, value: readSshSignature(armour), credential_id: this.id };
  }
}

/** A key in a token, as OpenSSH uses it (PROTOCOL.u2f), played with a key of this process. */
export class TokenKey {
  readonly algorithm: "EdDSA" | "ES256";
  readonly blob: Buffer;
  readonly #type: string;
  readonly #privateKey: KeyObject;
  counter = 1;

  constructor(algorithm: "EdDSA" | "ES256") {
    this.algorithm = algorithm;
    const pair = algorithm === "EdDSA" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = pair.publicKey.export({ format: "jwk" });
    const [x, y] = [Buffer.from(jwk.x as string, "base64url"), Buffer.from(jwk.y ?? "", "base64url")];
    this.#privateKey = pair.privateKey;
    this.#type = algorithm === "EdDSA" ? "sk-ssh-ed25519@openssh.com" : "sk-ecdsa-sha2-nistp256@openssh.com";
    const parts = algorithm === "EdDSA" ? [x] : ["nistp256", Buffer.concat([Buffer.from([4]), x, y])];
    this.blob = Buffer.concat([this.#type, ...parts, "ssh:"].map((part) => sshString(part)));
  }

  get line(): string {
    return `${this.#type} ${this.blob.toString("base64")} alex@token`;
  }

  get id(): string {
    return sha256(this.blob).toString("base64url");
  }

  /** The bytes of a signature over a statement. Flags: 1 touched, 4 unlocked. */
  signBytes(text: string, namespace: string, flags: number, counter: number): Buffer {
    const hashed = createHash("sha512").update(text).digest();
    const about = [namespace, "", "sha512"].map((part) => sshString(part));
    const message = Buffer.concat([Buffer.from("SSHSIG"), ...about, sshString(hashed)]);
    const tail = Buffer.alloc(5);
    tail[0] = flags;
    tail.writeUInt32BE(counter, 1);
    const signed = Buffer.concat([sha256("ssh:"), tail, sha256(message)]);
    const digest = this.algorithm === "EdDSA" ? null : "sha256";
    const raw = sign(digest, signed, { key: this.#privateKey, dsaEncoding: "ieee-p1363" });
    const value = this.algorithm === "EdDSA" ? raw : Buffer.concat([mpint(raw.subarray(0, 32)), mpint(raw.subarray(32))]);
    const inner = Buffer.concat([sshString(this.#type), sshString(value), tail]);
    const version = Buffer.from([0, 0, 0, 1]);
    return Buffer.concat([Buffer.from("SSHSIG"), version, sshString(this.blob), ...about, sshString(inner)]);
  }

  sign(statement: AnyStatement, { flags = 1, counter = ++this.counter } = {}): Signature {
    const bytes = this.signBytes(statementText(statement), sshNamespace(statement.typ), flags, counter);
    return { algorithm: this.algorithm, value: bytes.toString("base64url"), credential_id: this.id };
  }

  /** What the real ssh-keygen says about a signature of this key. */
  acceptedByOpenSsh(folder: string, text: string): boolean {
    const armour = this.signBytes(text, "hap.intent", 1, 7).toString("base64");
    const lines = armour.match(/.{1,70}/g)?.join("\n");
    const signature = join(folder, "token.sig");
    writeFileSync(signature, `-----BEGIN SSH SIGNATURE-----\n${lines}\n-----END SSH SIGNATURE-----\n`);
    const allowed = join(folder, "allowed");
    writeFileSync(allowed, `alex ${this.line}\n`);
    const args = ["-Y", "verify", "-f", allowed, "-I", "alex", "-n", "hap.intent", "-s", signature];
    return spawnSync("ssh-keygen", args, { input: text }).status === 0;
  }
}

/** A number without leading zeros, and with one where it would look negative. */
function mpint(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  const short = bytes.subarray(start);
  return sshString((short[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short);
}
