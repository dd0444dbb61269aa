// What a path really is: the shell's dictionary knows no disk, so links are followed here, before it is asked.
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { classifyPath, type PathClass } from "@hap/shell/paths";

/** Where something happens. */
export type Place = { cwd: string; projectRoot: string; home: string };

/** The path with every link in it followed; what does not exist yet keeps its name in the real folder above it. */
export function realPath(path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  try {
    return realpathSync(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(realPath(above, cwd), basename(absolute));
  }
}

/** The worse of what a path says and what it really is: outside, secret or gate counts under either name. */
export function classifyReally(path: string, place: Place): PathClass {
  const said = classifyPath(resolve(place.cwd, path), place);
  const real = classifyPath(realPath(path, place.cwd), { ...place, projectRoot: realPath(place.projectRoot, "/") });
  return {
    inside: said.inside && real.inside,
    secret: said.secret || real.secret,
    gate: said.gate || real.gate,
    resolved: real.resolved,
  };
}

/** True when no word of a plain command is a link that leaves the project or leads to a secret. */
export function staysInside(command: string, place: Place): boolean {
  const words = command.split(/[\s;|&'"]+/).filter((text) => text !== "" && !text.startsWith("-"));
  return words.length <= MOST_WORDS && words.every((text) => isPlain(text, place));
}

const MOST_WORDS = 64;

function isPlain(text: string, place: Place): boolean {
  const said = resolve(place.cwd, text);
  const real = realPath(text, place.cwd);
  if (real === said || !classifyPath(said, place).inside) return true;
  const found = classifyReally(text, place);
  return found.inside && !found.secret;
}
