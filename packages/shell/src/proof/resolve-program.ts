// Which file a program's name starts. A proof holds only for a program of the system: one that lies, or could be put, in a folder
// that a confined command can write is somebody's code.
import type { ShellContext } from "../classification.ts";
import { realPath } from "../paths/real-path.ts";
import { boundary, isWithin } from "../paths/resolve-path.ts";

/** Words of the shell itself, which no file can replace. */
const BUILTINS: ReadonlySet<string> = new Set([
  "cd",
  "echo",
  "printf",
  "true",
  "false",
  ":",
  "test",
  "[",
  "exit",
  "set",
  "pwd",
  "type",
  "command",
]);

/** Folders of version managers, whose programs are chosen by files of the project. */
const SHIMS =
  /\/(?:shims|\.volta|volta-shim|\.asdf|\.(?:py|rb|nod|go|j|tf)env|mise|rtx|\.proto|aquaproj-aqua|aqua-proxy|\.vfox|corepack)(?:\/|$)/;

/** Whether the name starts a program of the system, and no folder before it could hold another one of that name. */
export function isSystemProgram(name: string, context: ShellContext): boolean {
  if (BUILTINS.has(name) || context.disk === undefined) return true;
  const { disk } = context;
  for (const folder of disk.path) {
    if (!folder.startsWith("/")) return false;
    const where = realPath(folder, disk);
    if (where === undefined || isWritable(folder, context) || isWritable(where.path, context)) return false;
    const found = realPath(`${folder}/${name}`, disk);
    if (found === undefined) return false;
    if (found.entry === null || found.entry.kind !== "file" || !found.entry.executable) continue;
    return !isWritable(found.path, context) && !SHIMS.test(folder) && !SHIMS.test(found.path);
  }
  return false;
}

/** Whether a confined command, or an agent's file tool, can write there without a person. */
function isWritable(path: string, context: ShellContext): boolean {
  const root = boundary(context);
  if (root === undefined || isWithin(path, root)) return true;
  const real = context.disk === undefined ? undefined : realPath(root, context.disk)?.path;
  return real !== undefined && isWithin(path, real);
}
