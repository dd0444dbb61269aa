// Claude Code writes its plans with its file tools, into `~/.claude/plans`. A plan is text for the person and the model: it sets nothing
// and runs nothing, although it is in the folder of the host's settings.
import { classifyPath, realPath, type ShellContext } from "@hap/shell/paths";
import { readingsOf } from "./changed-files.ts";

/** True for a plan: a plain file, or a new one, that no link leads to or from. */
export function isPlanFile(path: string, place: ShellContext): boolean {
  const { home, disk } = place;
  if (home === undefined || disk === undefined) return false;
  const folder = `${realPath(home, disk)?.path ?? home}/.claude/plans/`;
  return readingsOf(path).every((reading) => {
    const { resolved, entry } = classifyPath(reading, place);
    const plain = entry === null || (entry?.kind === "file" && entry.names === 1);
    return plain && resolved.startsWith(folder) && /^[\w-]+\.md$/.test(resolved.slice(folder.length));
  });
}
