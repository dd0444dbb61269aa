// A project's own instructions to agents, from the files that are usual.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const NAMES = ["AGENTS.md", "CLAUDE.md"];
const LIMIT = 32_000;

/** The first of the usual files in a folder; an unreadable one is none. */
export function readInstructions(cwd: string): { path: string; text: string }[] {
  for (const name of NAMES) {
    try {
      return [{ path: name, text: readFileSync(join(cwd, name), "utf8").slice(0, LIMIT).toWellFormed() }];
    } catch {
      // The next one.
    }
  }
  return [];
}
