// The key pair by which push services know this server (VAPID, RFC 8292). The private half lies in a file that only its owner
// reads, or in the environment; it is never written to the store, the log or an answer.
import { createECDH, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { resolveDbPath } from "@hap/core";
import { HapError } from "@hap/protocol";
import * as z from "zod";

/** A pair, base64url, and whom a push service can write to when something is wrong. */
export type PushKeys = { publicKey: string; privateKey: string; contact: string };

const NAME = "push-keys.json";
const fileShape = z.object({ public_key: z.string(), private_key: z.string(), contact: z.string() });
const privateKey = /^[A-Za-z0-9_-]{43}$/;

/** Where the keys lie unless somebody says otherwise: beside the store. */
export function pushKeysPath({ dbPath, home }: { dbPath?: string | undefined; home: string }): string {
  return join(dirname(resolveDbPath(dbPath, home)), NAME);
}

/** Make a pair and keep it in a new file that only its owner reads. An old file stays: browsers were given its key. */
export function makePushKeys(path: string, contact: string): Omit<PushKeys, "privateKey"> {
  const subject = checkContact(contact, "--contact");
  const { d } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) as JsonWebKey;
  const keys = fromPrivate(d as string, subject);
  const text = JSON.stringify({ public_key: keys.publicKey, private_key: keys.privateKey, contact: subject }, null, 2);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${text}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new HapError(
        "invalid_input",
        `${path} exists; with new keys every browser must be subscribed again. Move it away first if that is what you want.`,
        { field: "--file", path },
      );
    throw new HapError("invalid_input", `${path} cannot be written (${code}).`, { field: "--file", path });
  }
  return { publicKey: keys.publicKey, contact: subject };
}

/** The keys of a server: from the environment, from the file named, or from the file beside the store; undefined without any. */
export function readPushKeys(from: {
  file?: string | undefined;
  fallback: string;
  env: NodeJS.ProcessEnv;
}): PushKeys | undefined {
  const { HAP_PUSH_PRIVATE_KEY: secret, HAP_PUSH_CONTACT: contact } = from.env;
  if (secret) {
    if (!privateKey.test(secret))
      throw new HapError("invalid_input", "HAP_PUSH_PRIVATE_KEY must be a private key on P-256: 32 bytes, base64url.", {
        field: "HAP_PUSH_PRIVATE_KEY",
      });
    return fromPrivate(secret, checkContact(contact ?? "", "HAP_PUSH_CONTACT"));
  }
  const text = readOwn(from.file ?? from.fallback, from.file === undefined);
  return text === undefined ? undefined : parseFile(text, from.file ?? from.fallback);
}

/** The file's text; undefined when it may be missing and is. A file that others can read holds no secret. */
function readOwn(path: string, mayBeMissing: boolean): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && mayBeMissing) return undefined;
    throw new HapError("invalid_input", `${path} cannot be read (${code}). \`hap push keys\` makes keys for Web Push.`, {
      field: "--push-keys",
    });
  }
  try {
    if (process.platform !== "win32" && (fstatSync(file).mode & 0o077) !== 0)
      throw new HapError("invalid_input", `${path} can be read by others. Make it yours alone: chmod 600 ${path}`, {
        field: "--push-keys",
      });
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function parseFile(text: string, path: string): PushKeys {
  const parsed = fileShape.safeParse(readJson(text));
  if (!parsed.success || !privateKey.test(parsed.data.private_key))
    throw new HapError("invalid_input", `${path} is no file of \`hap push keys\`.`, { field: "--push-keys" });
  const keys = fromPrivate(parsed.data.private_key, checkContact(parsed.data.contact, "contact"));
  if (keys.publicKey === parsed.data.public_key) return keys;
  throw new HapError("invalid_input", `${path}: public_key and private_key are no pair.`, { field: "--push-keys" });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromPrivate(secret: string, contact: string): PushKeys {
  const pair = createECDH("prime256v1");
  try {
    pair.setPrivateKey(secret, "base64url");
  } catch {
    throw new HapError("invalid_input", "The private key for Web Push is no key on P-256. `hap push keys` makes one.", {
      field: "--push-keys",
    });
  }
  return { publicKey: pair.getPublicKey("base64url"), privateKey: secret, contact };
}

/** Push services want to know whom to write to. */
function checkContact(contact: string, field: string): string {
  const fine = /^mailto:[^@\s]+@[^@\s]+$/.test(contact) || (contact.startsWith("https://") && URL.canParse(contact));
  if (fine) return contact;
  throw new HapError("invalid_input", `${field} must be mailto:NAME@HOST or an https address: push services write there.`, {
    field,
  });
}
