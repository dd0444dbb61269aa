// The page's files, as small as the browser can take them: the build leaves a `.br` and a `.gz` beside each text. Names with a
// hash in them never change; everything else is asked for again each time.
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".map": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

/** What is the API's answers as the API does, also where nothing is. */
const API = /^v[0-9]+(\/|$)/;

/** Reads one file of the page by its path below the page's root; null where there is none. */
export type ReadPage = (file: string) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Reads the page from a folder. */
export function pageInFolder(folder: string): ReadPage {
  return async (file) => {
    try {
      return new Uint8Array(await readFile(join(folder, file)));
    } catch (error) {
      if (["ENOENT", "EISDIR", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
      throw error;
    }
  };
}

/** Compressed forms in the order of preference: the encoding's name, and how the file's name ends. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** A file of the page, its start for addresses inside it, or null. `accepts` is the request's Accept-Encoding. */
export async function pageFile(read: ReadPage, path: string, accepts = ""): Promise<Response | null> {
  const wanted = readPath(path);
  if (wanted === null || API.test(wanted) || wanted.split(sep).includes("..") || wanted.includes("\0")) return null;
  const file = extname(wanted) === "" ? "index.html" : wanted;
  const found = (await readEncoded(read, file, accepts)) ?? { bytes: await read(file), encoding: null };
  if (found.bytes === null) return null;
  const hashed = /-[A-Za-z0-9_-]{8,}\.\w+$/.test(file);
  return new Response(found.bytes, {
    headers: {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": hashed ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      ...(found.encoding === null ? {} : { "content-encoding": found.encoding }),
    },
  });
}

/** The best compressed form that the browser takes and the build made; null where there is none. */
async function readEncoded(read: ReadPage, file: string, accepts: string) {
  const offered = accepts.split(",").map((part) => part.trim().toLowerCase());
  for (const [encoding, ending] of ENCODINGS) {
    const takes = offered.some((part) => part.split(";")[0] === encoding && !/;\s*q=0(\.0+)?$/.test(part));
    const bytes = takes ? await read(file + ending) : null;
    if (bytes !== null) return { bytes, encoding };
  }
  return null;
}

/** A path below the folder, or null when its percent signs make no text. */
function readPath(path: string): string | null {
  try {
    return normalize(decodeURIComponent(path)).replaceAll(/^[/\\]+/g, "");
  } catch {
    return null;
  }
}
