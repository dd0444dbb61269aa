// Signatures over a statement (D24, D25): passkeys and SSH keys of every kind, and every reason to refuse one.
import { readFileSync } from "node:fs";
import { type UsedCredential, verifyEnrolled } from "@hap/core";
import { type AnyStatement, type CredentialKind, HapError, type Json, type Signature, statementOf } from "@hap/protocol";
import { type Case, invalid, type Suite, valid } from "../vector.ts";
import { sampleIntent } from "./statement.ts";

type Sample = {
  kind?: string;
  credential: { id: string; algorithm: Signature["algorithm"]; public_key: string };
  signature: Signature;
  twisted: Record<string, Signature>;
};
const samples = JSON.parse(readFileSync(new URL("./signed-samples.json", import.meta.url), "utf8")) as {
  passkeys: Sample[];
  ssh: Sample[];
};
const statement = statementOf(sampleIntent, "default");
const site = { rp_id: "hap.localhost", origins: ["http://hap.localhost:8787"] };
const none = { rp_id: null, origins: [] };

/** A key, what it signed, and what may be changed about both. */
function input(kind: CredentialKind, { credential, signature }: Sample, change: object = {}, key: object = {}): Json {
  const stored = { ...credential, kind, person: statement.from, ...(kind === "passkey" ? site : none) };
  const uses = { sign_count: 1, revoked_at: null, ...key };
  return { statement, signature, credential: { ...stored, ...uses }, anchored: true, ...change } as unknown as Json;
}

const es256 = samples.passkeys[0] as Sample;
const ed25519 = samples.ssh.find(({ kind }) => kind === "ed25519") as Sample;
const ecdsa = samples.ssh.find(({ kind }) => kind === "ecdsa256") as Sample;
const token = samples.ssh.find(({ kind }) => kind === "token EdDSA") as Sample;
const twisted = (kind: CredentialKind, sample: Sample, name: string): Json =>
  input(kind, { ...sample, signature: sample.twisted[name] as Signature });
const signedAs = (kind: CredentialKind, sample: Sample, change: Partial<Signature>): Json =>
  input(kind, { ...sample, signature: { ...sample.signature, ...change } });
const passkeyWords: [string, string][] = [
  ["registration", "of a registration, not of an assertion"],
  ["other_challenge", "over another challenge"],
  ["other_port", "at another port"],
  ["other_host", "at another host"],
  ["inside_another_page", "inside a page of another origin"],
  ["other_rp_id", "for another RP id"],
  ["untouched", "without user presence"],
  ["unverified", "without user verification"],
  ["same_counter", "with a counter that did not rise"],
];
const cut = (text: string) => text.slice(0, -4);
const other = { ...statement, decision: "reject" };

const positives: Case[] = [
  ...samples.passkeys.map((sample) => valid(`a passkey, ${sample.credential.algorithm}`, input("passkey", sample), "Passkey")),
  valid("a passkey that nothing anchors", input("passkey", es256, { anchored: false }), "Passkey", "Level"),
  valid("a passkey whose counter was zero", input("passkey", es256, {}, { sign_count: 0 }), "Passkey"),
  ...samples.ssh.map((sample) => valid(`an SSH key, ${sample.kind}`, input("ssh", sample), "Ssh")),
  ...samples.ssh
    .filter(({ twisted: all }) => "verified" in all)
    .map((sample) =>
      valid(`an SSH key, ${sample.kind}, with user verification`, twisted("ssh", sample, "verified"), "Ssh", "Level"),
    ),
  valid(
    "an SSH key in hardware with user verification that nothing anchors",
    { ...(twisted("ssh", token, "verified") as object), anchored: false } as Json,
    "Ssh",
    "Level",
  ),
];

const negatives: Case[] = [
  ...passkeyWords.map(([name, words]) => invalid(`a passkey's signature ${words}`, twisted("passkey", es256, name), "Passkey")),
  ...samples.passkeys.map((sample) =>
    invalid(
      `another decision than was signed, ${sample.credential.algorithm}`,
      input("passkey", sample, { statement: other }),
      "Passkey",
    ),
  ),
  ...samples.ssh.map((sample) =>
    invalid(`another decision than was signed, ${sample.kind}`, input("ssh", sample, { statement: other }), "Ssh"),
  ),
  invalid(
    "a passkey's signature without its client data",
    signedAs("passkey", es256, { client_data_json: undefined }),
    "Passkey",
  ),
  invalid(
    "a passkey's signature without its authenticator data",
    signedAs("passkey", es256, { authenticator_data: undefined }),
    "Passkey",
  ),
  invalid("a passkey's signature cut short", signedAs("passkey", es256, { value: cut(es256.signature.value) }), "Passkey"),
  invalid("authenticator data cut short", signedAs("passkey", es256, { authenticator_data: "AAAA" }), "Passkey"),
  invalid("client data that are no JSON", signedAs("passkey", es256, { client_data_json: "e30x" }), "Passkey"),
  invalid("another algorithm than the key's", signedAs("passkey", es256, { algorithm: "ES384" }), "Key"),
  invalid("a credential that is not enrolled", signedAs("passkey", es256, { credential_id: "bm9uZQ" }), "Key"),
  invalid("a credential of somebody else", input("passkey", es256, {}, { person: "human:1123456789abcdefghjkmnpqrs" }), "Key"),
  invalid("a credential that was revoked", input("passkey", es256, {}, { revoked_at: "2026-01-31T10:00:00.000Z" }), "Key"),
  invalid("a counter that was higher before", input("passkey", es256, {}, { sign_count: 4_000_000_000 }), "Key"),
  invalid(
    "the key of another person under the same id",
    input("passkey", es256, {}, { public_key: publicKeyOf(1), algorithm: "ES256" }),
    "Key",
  ),
  invalid("an SSH signature in another namespace", twisted("ssh", ed25519, "other_namespace"), "Ssh"),
  invalid("an SSH signature over another text", twisted("ssh", ed25519, "other_text"), "Ssh"),
  invalid("an SSH signature of a token that nobody touched", twisted("ssh", token, "untouched"), "Ssh"),
  invalid("an SSH signature cut short", signedAs("ssh", ed25519, { value: cut(ed25519.signature.value) }), "Ssh"),
  invalid(
    "an SSH signature with something behind it",
    signedAs("ssh", ed25519, { value: `${ed25519.signature.value}AAAA` }),
    "Ssh",
  ),
  invalid("something that is no SSH signature", signedAs("ssh", ed25519, { value: "AAAAAAAAAAAAAAAA" }), "Ssh"),
  invalid(
    "an SSH signature of another key under this one's id",
    signedAs("ssh", ed25519, { value: ecdsa.signature.value }),
    "Ssh",
  ),
  invalid(
    "an SSH signature of a token whose counter did not rise",
    input("ssh", token, {}, { sign_count: 4_000_000_000 }),
    "Ssh",
  ),
];

/** The key of another sample; a key of another curve is refused like any other wrong one. */
function publicKeyOf(index: number): string {
  return (samples.passkeys[index] as Sample).credential.public_key;
}

type Stored = Sample["credential"] & {
  kind: CredentialKind;
  person: string;
  rp_id: string | null;
  origins: string[];
  sign_count: number;
  revoked_at: string | null;
};

function run(given: Json): Json {
  const {
    statement: said,
    signature,
    credential,
    anchored,
  } = given as unknown as {
    statement: AnyStatement;
    signature: Signature;
    credential: Stored;
    anchored: boolean;
  };
  const record: UsedCredential = {
    id: credential.id,
    seq: 1,
    person: credential.person,
    kind: credential.kind,
    algorithm: credential.algorithm,
    publicKey: credential.public_key,
    label: null,
    rpId: credential.rp_id,
    origins: credential.origins,
    transports: [],
    userVerification: credential.kind === "passkey",
    trust: "open",
    createdAt: "2026-01-31T10:00:00.000Z",
    revokedAt: credential.revoked_at,
    signCount: credential.sign_count,
    lastUsedAt: null,
  };
  const { from } = said;
  if (from === null) throw new HapError("invalid_input", "These vectors name the person.");
  const source = { credential: (id: string) => (id === record.id ? record : undefined), anchored: () => anchored };
  const { level, counter } = verifyEnrolled(signature, said, from, source);
  return { level, counter: counter ?? null };
}

export const signatures: Suite = {
  name: "signatures",
  description:
    "What input.signature proves about input.statement: its level and the counter to keep. input.credential is the only one enrolled, with the counter that it had; input.anchored says whether it is anchored.",
  flags: {
    Passkey: "a WebAuthn assertion",
    Ssh: "a signature by ssh-keygen -Y sign, or by a key in hardware as OpenSSH makes it",
    Level: "what is proven depends on the anchor, or on user verification",
    Key: "the key is not one that may sign this",
  },
  cases: [...positives, ...negatives],
  run,
};
