// The working folder of a call in a transcript.

/** The folder if it is an absolute path, else `/`: a call from an unknown folder is judged as outside of every project. */
export function absoluteFolder(path: unknown): string {
  return typeof path === "string" && path.startsWith("/") ? path : "/";
}
