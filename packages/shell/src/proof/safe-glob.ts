// A file pattern given to a search tool (`--include`, `-g`) can reach hidden files; it must not be able to name a secret.
import { canNameSecret } from "../paths/can-name-secret.ts";

const PLAIN = /^(?:(?:\*\*|[\w-]+)\/)*[\w*-]*(?:\.[A-Za-z0-9]+)+$/;

/** True if a glob ends in an ordinary extension and cannot match a file of credentials. `!glob` only leaves files out. */
export function isSafeGlob(glob: string): boolean {
  return glob.startsWith("!") || (PLAIN.test(glob) && !/(?:^|\/)\./.test(glob) && !canNameSecret(glob));
}
