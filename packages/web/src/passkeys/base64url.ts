// Bytes as the protocol writes them.

/** Bytes in base64url, without padding. */
export function toBase64url(bytes: ArrayBuffer | Uint8Array): string {
  const text = Array.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(
    "",
  );
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64url. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}
