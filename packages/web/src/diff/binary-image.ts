// Images inside git's binary patches, before and after: base 85 and deflate, read in the browser. Only kinds that hold no script.

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const digits = new Map([...ALPHABET].map((char, at) => [char, at]));
const KINDS: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};
/** Larger images are not drawn. */
const LARGEST = 4 * 1024 * 1024;

/** The image type of a path, or null. */
export function imageType(path: string): string | null {
  return KINDS[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? null;
}

/** One line of a patch: its first character is how many bytes the rest holds. */
function decodeLine(line: string): number[] {
  const first = line.charCodeAt(0);
  const size = first >= 97 ? first - 96 + 26 : first - 64;
  const bytes: number[] = [];
  for (let at = 1; at < line.length; at += 5) {
    let value = 0;
    for (const char of line.slice(at, at + 5)) value = value * 85 + (digits.get(char) ?? 0);
    bytes.push((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
  }
  return bytes.slice(0, size);
}

/** The whole files in a patch, new first, as they are compressed; deltas are left out. */
export function literals(lines: readonly string[]): { size: number; bytes: Uint8Array<ArrayBuffer> }[] {
  const found: { size: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  let open: { size: number; parts: number[] } | null = null;
  for (const line of [...lines, ""]) {
    const begins = /^literal ([0-9]{1,9})$/.exec(line);
    if (open !== null && (line === "" || begins !== null || line.startsWith("delta "))) {
      found.push({ size: open.size, bytes: new Uint8Array(open.parts) });
      open = null;
    }
    if (begins !== null) open = { size: Number(begins[1]), parts: [] };
    else if (open !== null) open.parts.push(...decodeLine(line));
  }
  return found;
}

/** The data address of an image, or null if it is too large or not what it says. */
export async function toImage(type: string, { size, bytes }: ReturnType<typeof literals>[number]): Promise<string | null> {
  if (size === 0 || size > LARGEST) return null;
  try {
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const data = new Uint8Array(await new Response(inflated).arrayBuffer());
    if (data.length !== size) return null;
    let text = "";
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return `data:${type};base64,${btoa(text)}`;
  } catch (error) {
    // A patch that does not inflate is shown as the text that it is.
    if (error instanceof TypeError) return null;
    throw error;
  }
}
