// Signing with an SSH key through OpenSSH itself: keys in files, in an agent and in tokens work as they do for everything else.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AnyStatement,
  type Credential,
  HapError,
  quote,
  readSshPublicKey,
  readSshSignature,
  type Signature,
  sshNamespace,
  statementText,
} from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Context } from "../context.ts";
import { readTextFile } from "../input/source.ts";

/** A key that signs: its file, and what it is enrolled as. */
export type SigningKey = { file: string; credential: Credential };

/** The line of a public key file, and what is in it. A private key is no public one. */
export function readPublicKeyFile(path: string, name: string): { line: string; key: string; comment: string } {
  const text = readTextFile(path, name);
  if (text.includes("PRIVATE KEY"))
    throw new HapError(
      "invalid_input",
      `${name}: ${quote(path)} is a private key. Give the public one, ${quote(`${path}.pub`)}.`,
      {
        field: name,
      },
    );
  const { key, comment } = readSshPublicKey(text);
  return { line: text.trim(), key, comment };
}

/** The enrolled key behind a file: the one that --ssh-key or HAP_SSH_KEY names. */
export async function findSigningKey(client: PersonClient, file: string): Promise<SigningKey> {
  const { key } = readPublicKeyFile(file.endsWith(".pub") || !existsSync(`${file}.pub`) ? file : `${file}.pub`, "--ssh-key");
  const credential = (await client.credentials()).find(({ public_key }) => public_key === key);
  if (credential !== undefined && credential.revoked_at === null) return { file, credential };
  const what = credential === undefined ? "is not enrolled" : "was revoked";
  throw new HapError(
    credential === undefined ? "credential_unknown" : "credential_revoked",
    `The key ${quote(file)} ${what} for ${client.person}. \`hap credential list\` shows your keys; \`hap credential add-ssh\` adds one.`,
    { field: "--ssh-key" },
  );
}

/** The file that signs where one must: named by the option, else by HAP_SSH_KEY. */
export function keyFileOf(context: Context, option: string | undefined): string | undefined {
  return option ?? (context.env.HAP_SSH_KEY || undefined);
}

/**
 * Have ssh-keygen sign a statement. It asks for a passphrase, a PIN or a touch by itself, and does so only when standard input
 * is left to it: the statement goes by a file.
 */
export function signWithSsh({ file, credential }: SigningKey, statement: AnyStatement): Signature {
  const folder = mkdtempSync(join(tmpdir(), "hap-sign-"));
  try {
    const message = join(folder, "statement");
    writeFileSync(message, statementText(statement));
    const args = ["-Y", "sign", "-q", "-n", sshNamespace(statement.typ), "-f", file, message];
    const ran = spawnSync("ssh-keygen", args, { stdio: ["inherit", "ignore", "inherit"] });
    if (ran.status !== 0) throw notSigned(file, ran.error);
    const value = readSshSignature(readFileSync(`${message}.sig`, "utf8"));
    return { algorithm: credential.algorithm, value, credential_id: credential.id };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function notSigned(file: string, error: Error | undefined): HapError {
  const why =
    error === undefined
      ? `ssh-keygen did not sign with ${quote(file)}; its own words stand above. Nothing was recorded.`
      : `ssh-keygen could not be started (${(error as NodeJS.ErrnoException).code}). Install OpenSSH, or sign on the review page.`;
  return new HapError("signature_needed", why, { field: "--ssh-key" }, error);
}
