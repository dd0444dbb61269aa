// The texts of OpenSSH: the line of a public key file and the armour of a signature. What is inside is read where it is checked.
import { HapError } from "./errors.ts";

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const armour = /^\s*-----BEGIN SSH SIGNATURE-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END SSH SIGNATURE-----\s*$/;

/** The key and the comment of a public key file's line; the key in base64url. */
export function readSshPublicKey(text: string): { type: string; key: string; comment: string } {
  const [type = "", key = "", ...comment] = text.trim().split(/[ \t]+/);
  if (/[\r\n]/.test(text.trim()) || !/^[a-z0-9@.-]{1,64}$/.test(type) || !base64.test(key)) {
    throw new HapError(
      "invalid_input",
      "public_key is no line of an SSH public key file, such as `ssh-ed25519 AAAAC3… alex@laptop`. Give the file that ends in .pub.",
      { field: "public_key" },
    );
  }
  return { type, key: toBase64url(key), comment: comment.join(" ") };
}

/** The bytes of what `ssh-keygen -Y sign` writes, in base64url. */
export function readSshSignature(text: string): string {
  const body = armour.exec(text)?.[1]?.replace(/\s/g, "");
  if (body !== undefined && base64.test(body)) return toBase64url(body);
  throw new HapError("invalid_input", "This is no SSH signature as `ssh-keygen -Y sign` writes it.", { field: "signature" });
}

function toBase64url(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
