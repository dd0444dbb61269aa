// Whether a search tool (Grep, Glob) would find or show files of credentials: by its file pattern, or because the folder that it
// searches contains one. Hosts leave ignored files out of a search, but not out of one with a file pattern.
import {
  canNameSecret,
  type Disk,
  matchesEverything,
  type PathClass,
  type ShellContext,
  secretsBelow,
  splitGlobs,
} from "@hap/shell/paths";
import { type JsonObject, word } from "./read-event.ts";
import type { ToolShape } from "./tools.ts";

type Search = NonNullable<Extract<ToolShape, { does: "read" }>["search"]>;

/** Types of files among which credentials are kept; a search of any other type shows none. */
const TYPES = /^(?:json|ya?ml|toml|txt|xml|config|ini|sh|md|dotenv|env)$/;

/** True when the search is one for credentials, or would print some. */
export function searchFindsSecret(input: JsonObject, search: Search, folder: PathClass, place: ShellContext): boolean {
  const globs = splitGlobs(word(input, search.pattern) ?? "").filter((glob) => !glob.startsWith("!"));
  if (globs.some(canNameSecret)) return true;
  const type = word(input, "type");
  if (search.shows === "names" || input.output_mode !== "content") return false;
  if (globs.length > 0 && !globs.some(matchesEverything)) return false;
  if ((type !== null && !TYPES.test(type)) || place.disk === undefined || folder.entry?.kind !== "folder") return false;
  const ignored = globs.length > 0 ? new Set<string>() : ignoredNames(folder.resolved, place, place.disk);
  return secretsBelow(folder.resolved, place.disk, place.home).some(
    (path) => !ignored.has(path.slice(path.lastIndexOf("/") + 1)),
  );
}

/** Plain names in the ignore files. Of patterns only the usual ones for \`.env\` are read. */
function ignoredNames(folder: string, { projectRoot }: ShellContext, disk: Disk): ReadonlySet<string> {
  const lines = [...new Set([folder, projectRoot])].flatMap((path) => (disk.read(`${path}/.gitignore`) ?? "").split("\n"));
  const names = lines.map((line) => line.trim().replace(/^\/|\/$/g, "")).filter((line) => line !== "" && !/^[#!]/.test(line));
  const more = names.some((name) => /^\.env[.]?\*$/.test(name))
    ? [".env", ".env.local", ".env.development", ".env.production", ".env.test"]
    : [];
  return new Set([...names, ...more]);
}
