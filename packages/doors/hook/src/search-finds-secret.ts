// Whether a search tool (Grep, Glob) would find or show files of credentials: by its file pattern, or because the folder that it
// searches holds one that version control does not ignore (the hosts' search leaves ignored files out).
import { canNameSecret, type Disk, type PathClass, type ShellContext, secretsBelow } from "@hap/shell/paths";
import { type JsonObject, word } from "./read-event.ts";
import type { ToolShape } from "./tools.ts";

type Search = NonNullable<Extract<ToolShape, { does: "read" }>["search"]>;

/** Types of files among which credentials are kept; a search of any other type shows none. */
const TYPES = /^(?:json|ya?ml|toml|txt|xml|config|ini|sh|md|dotenv|env)$/;

/** True when the search is one for credentials, or would print some. */
export function searchFindsSecret(input: JsonObject, search: Search, folder: PathClass, place: ShellContext): boolean {
  const pattern = word(input, search.pattern);
  if (pattern !== null && canNameSecret(pattern)) return true;
  const type = word(input, "type");
  if (search.shows === "names" || input.output_mode !== "content" || pattern !== null) return false;
  if ((type !== null && !TYPES.test(type)) || place.disk === undefined || folder.entry?.kind !== "folder") return false;
  const ignored = ignoredNames(folder.resolved, place, place.disk);
  return secretsBelow(folder.resolved, place.disk, place.home).some(
    (path) => !ignored.has(path.slice(path.lastIndexOf("/") + 1)),
  );
}

/** Plain names of the ignore files; patterns are not worth reading here, but for the usual ones of \`.env\`. */
function ignoredNames(folder: string, { projectRoot }: ShellContext, disk: Disk): ReadonlySet<string> {
  const lines = [...new Set([folder, projectRoot])].flatMap((path) => (disk.read(`${path}/.gitignore`) ?? "").split("\n"));
  const names = lines.map((line) => line.trim().replace(/^\/|\/$/g, "")).filter((line) => line !== "" && !/^[#!]/.test(line));
  const more = names.some((name) => /^\.env[.]?\*$/.test(name))
    ? [".env", ".env.local", ".env.development", ".env.production", ".env.test"]
    : [];
  return new Set([...names, ...more]);
}
