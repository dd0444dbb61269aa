// Makes the keys and signatures of the signature vectors anew: `node scripts/sign-samples.ts`. They are kept in a file,
// since most kinds of signature come out differently each time. The private keys are thrown away.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SIGNATURE_ALGORITHMS, statementOf } from "@hap/protocol";
import { keepKey } from "../packages/core/src/credentials/public-key.ts";
import { Authenticator, type Twist } from "../packages/core/test/signing/authenticator.ts";
import { SSH_KINDS, SshKey, TokenKey } from "../packages/core/test/signing/ssh-keys.ts";
import { sampleIntent } from "./spec/vectors/statement.ts";

const statement = statementOf(sampleIntent, "default");
const folder = mkdtempSync(join(tmpdir(), "hap-samples-"));

/** What can be wrong with an assertion, each with a signature that is right for it. */
const twists: Record<string, Twist> = {
  registration: { type: "webauthn.create" },
  other_challenge: { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
  other_port: { origin: "http://hap.localhost:8788" },
  other_host: { origin: "http://hap.localhost.example:8787" },
  inside_another_page: { crossOrigin: true },
  other_rp_id: { rpId: "localhost" },
  untouched: { flags: 4 },
  unverified: { flags: 1 },
  same_counter: { counter: 1 },
};

const passkeys = SIGNATURE_ALGORITHMS.map((algorithm) => {
  const authenticator = new Authenticator(algorithm);
  const { id, public_key } = authenticator.material;
  const twisted =
    algorithm === "ES256"
      ? Object.fromEntries(Object.entries(twists).map(([name, twist]) => [name, authenticator.assert(statement, twist)]))
      : {};
  return { credential: { id, algorithm, public_key }, signature: authenticator.assert(statement), twisted };
});
const files = Object.keys(SSH_KINDS).map((kind) => {
  const key = new SshKey(folder, kind as keyof typeof SSH_KINDS);
  const credential = { id: key.id, ...keepKey("ssh", key.line) };
  const twisted =
    kind === "ed25519"
      ? {
          other_namespace: key.sign(statement, { namespace: "file" }),
          other_text: key.sign(statement, { text: "something else" }),
        }
      : {};
  const hashed = kind === "rsa" ? key.sign(statement, { options: ["-O", "hashalg=sha256"] }) : key.sign(statement);
  return { kind, credential, signature: hashed, twisted };
});
const tokens = (["EdDSA", "ES256"] as const).map((algorithm) => {
  const token = new TokenKey(algorithm);
  const credential = { id: token.id, ...keepKey("ssh", token.line) };
  const twisted = { verified: token.sign(statement, { flags: 5 }), untouched: token.sign(statement, { flags: 4 }) };
  return { kind: `token ${algorithm}`, credential, signature: token.sign(statement), twisted };
});
rmSync(folder, { recursive: true });

const path = fileURLToPath(new URL("spec/vectors/signed-samples.json", import.meta.url));
writeFileSync(path, `${JSON.stringify({ passkeys, ssh: [...files, ...tokens] }, null, 2)}\n`);
