// Shows for every path of a command that what happens to it stays inside the project: no gate path is changed, no secret is shown,
// nothing but plain files is written.
import type { ShellContext } from "../classification.ts";
import { classifyPath, type PathClass } from "../paths/classify-path.ts";
import { holdsSecret } from "./holds-secret.ts";
import type { Reading } from "./reading.ts";

/** The proof for one folder in which the command may stand; `changes` fills with real paths as it is shown. */
export class PathProof {
  readonly changes: string[] = [];
  removes = false;
  readonly #context: ShellContext;
  readonly #globs: boolean;

  constructor(context: ShellContext, globs: boolean) {
    this.#context = context;
    this.#globs = globs;
  }

  /** Whether everything holds. */
  holds(reading: Reading, outputs: readonly string[]): boolean {
    const { names, contents, trees = [], writes = [], removes = [], folders = [], copy, git } = reading;
    return (
      names.every((path) => this.#shows(path, false, true)) &&
      contents.every((path) => this.#shows(path, true, git !== undefined)) &&
      trees.every(({ path, hidden }) => this.#searches(path, hidden)) &&
      [...writes, ...outputs].every((path) => this.#writes(path)) &&
      removes.every((path) => this.#takesAway(path)) &&
      folders.every((path) => this.#makes(path)) &&
      (copy === undefined || this.#copies(copy))
    );
  }

  /** By now quotes are gone, so a leading `~` is a name in a folder and no home; it is not worth telling them apart. */
  #look(path: string, last: "follow" | "keep" = "follow"): PathClass | undefined {
    if (path === "" || path.startsWith("~")) return undefined;
    const found = classifyPath(path, this.#context, last);
    const told = this.#context.disk === undefined || found.entry !== undefined;
    return found.inside && told && found.entry?.kind !== "other" ? found : undefined;
  }

  #shows(path: string, contents: boolean, folder: boolean): boolean {
    const found = this.#look(path);
    if (found === undefined) return false;
    return !contents || (!found.secret && (folder || found.entry?.kind !== "folder"));
  }

  #searches(path: string, hidden: boolean): boolean {
    const found = this.#look(path);
    if (found === undefined || found.secret) return false;
    const { disk, home } = this.#context;
    if (disk === undefined) return !hidden;
    return found.entry?.kind !== "folder" || !holdsSecret(found.resolved, hidden, disk, home);
  }

  /** A new file, or a plain one that has no other name. */
  #writes(path: string): boolean {
    const found = this.#context.disk === undefined || path.endsWith("/") ? undefined : this.#look(path);
    if (found === undefined || found.gate || found.secret) return false;
    if (found.entry !== null && (found.entry?.kind !== "file" || found.entry.names > 1)) return false;
    this.changes.push(found.resolved);
    return true;
  }

  #takesAway(path: string): boolean {
    const found = this.#context.disk === undefined || path.endsWith("/") ? undefined : this.#look(path, "keep");
    if (found === undefined || found.gate || found.secret || found.entry?.kind === "folder") return false;
    this.changes.push(found.resolved);
    this.removes = true;
    return true;
  }

  #makes(path: string): boolean {
    const found = this.#context.disk === undefined ? undefined : this.#look(path);
    if (found === undefined || found.gate || found.secret) return false;
    if (found.entry !== null && found.entry?.kind !== "folder") return false;
    // With `-p` the folders above it are made, too.
    for (let folder = found.resolved; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
      const above = this.#look(folder);
      if (above === undefined || above.entry !== null) break;
      if (above.gate) return false;
      this.changes.push(folder);
    }
    if (found.entry !== null) this.changes.push(found.resolved);
    return true;
  }

  #copies({ sources, target, moves }: NonNullable<Reading["copy"]>): boolean {
    const to = this.#context.disk === undefined ? undefined : this.#look(target);
    if (to === undefined || to.gate || to.secret) return false;
    const intoFolder = to.entry?.kind === "folder";
    if (!intoFolder && (sources.length > 1 || this.#globs)) return false;
    return sources.every((source) => {
      const from = this.#look(source, moves ? "keep" : "follow");
      if (from === undefined || from.secret || from.entry?.kind !== "file" || source.endsWith("/")) return false;
      if (moves && !this.#takesAway(source)) return false;
      const arrival = `${target.replace(/\/+$/, "")}/${source.slice(source.lastIndexOf("/") + 1)}`;
      // A folder of that name may be made before this runs: neither name may be a gate path.
      const inFolder = classifyPath(arrival, this.#context);
      if (inFolder.gate || inFolder.secret || !inFolder.inside) return false;
      if (to.entry === null) this.changes.push(inFolder.resolved);
      return this.#writes(intoFolder ? arrival : target);
    });
  }
}
