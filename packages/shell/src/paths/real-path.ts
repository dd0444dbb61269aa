// What a path really is: every component is looked at on the disk and links are followed the way the kernel does it, so that `..`
// behind a link leads to the parent of where the link points. The one such function: hook, shell grammar and yume-cli use it.
import type { Disk, DiskEntry } from "./disk.ts";

/** No kernel follows more links. */
const MOST_LINKS = 40;

/** A path without links, and what stands there; null: nothing yet, its name would be made in the real folder above. */
export type RealPath = { readonly path: string; readonly entry: DiskEntry | null };

/**
 * Follow every link of an absolute path, also one that leads nowhere. Undefined: it cannot be told, or no program could open it.
 * `last: "keep"` leaves a link in the last place as it is: what `rm` and `mv` act on.
 */
export function realPath(path: string, disk: Disk, last: "follow" | "keep" = "follow"): RealPath | undefined {
  if (!path.startsWith("/") || path.includes("\0")) return undefined;
  const rest = components(path).reverse();
  let at = "";
  let entry: DiskEntry | null | undefined = disk.look("/");
  for (let links = 0; rest.length > 0; ) {
    const name = rest.pop() as string;
    if (name === "..") {
      // Behind a name that does not exist, or that is no folder, `..` leads nowhere.
      if (entry === null || entry?.kind !== "folder") return undefined;
      at = at.slice(0, Math.max(0, at.lastIndexOf("/")));
      entry = disk.look(at === "" ? "/" : at);
      continue;
    }
    if (entry === undefined || (entry !== null && entry.kind !== "folder")) return undefined;
    const next = `${at}/${name}`;
    const found = entry === null ? null : disk.look(next);
    if (found?.kind === "link" && (rest.length > 0 || last === "follow")) {
      links += 1;
      if (links > MOST_LINKS || found.target === undefined) return undefined;
      if (found.target.startsWith("/")) {
        at = "";
        entry = disk.look("/");
      }
      rest.push(...components(found.target).reverse());
      continue;
    }
    at = next;
    entry = found;
  }
  return entry === undefined ? undefined : { path: at === "" ? "/" : at, entry };
}

function components(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
