// What a file is by its first bytes, whatever its name says: a provider refuses a whole request for one image that is none. Pure.

/** The media type of an image or a PDF; null for anything else. */
export function sniffMedia(bytes: Uint8Array): string | null {
  const starts = (...given: number[]) => given.every((byte, index) => bytes[index] === byte);
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png";
  if (starts(0xff, 0xd8, 0xff)) return "image/jpeg";
  if (text(0, 6) === "GIF87a" || text(0, 6) === "GIF89a") return "image/gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "image/webp";
  return text(0, 5) === "%PDF-" ? "application/pdf" : null;
}
