// Finds every gate name in a project. Names are read as bytes: a folder whose name is not UTF-8 hides nothing.
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { SandboxError } from "../sandbox-error.ts";
import { holdsDependencies, isGateName } from "./gate-names.ts";

/** A gate name that exists: its path as bytes in Latin-1, what it is, and which file it is. */
export type Gate = {
  readonly raw: string;
  readonly kind: "folder" | "file" | "link";
  readonly id: string;
  readonly link: string | null;
};

/** Above this a scan would take longer than most commands. */
const MOST_FOLDERS = 400_000;

/** Bytes of a path that is held in Latin-1. */
export function bytesOf(raw: string): Buffer {
  return Buffer.from(raw, "latin1");
}

/** A path in Latin-1 from a text. */
export function rawOf(path: string): string {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** A path held in Latin-1 as a text. */
export function textOf(raw: string): string {
  return bytesOf(raw).toString("utf8");
}

/** All gate names below a folder. Links are not followed, and nothing is searched inside a gate. */
export function findGates(root: string): Gate[] {
  const found: Gate[] = [];
  const waiting = [{ raw: rawOf(root), dependencies: false }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++seen > MOST_FOLDERS)
      throw new SandboxError(
        "place_refused",
        `${root} has more than ${MOST_FOLDERS} folders: too many to watch. Work in a smaller project.`,
      );
    const { raw, dependencies } = next;
    for (const entry of entriesOf(raw)) {
      const path = `${raw}/${entry.name}`;
      if (isGateName(entry.name, dependencies)) {
        const gate = lookAtGate(path);
        if (gate !== null) found.push(gate);
      } else if (entry.isDirectory()) waiting.push({ raw: path, dependencies: dependencies || holdsDependencies(entry.name) });
    }
  }
  return found;
}

/** What lies at a path now, or null. */
export function lookAtGate(raw: string): Gate | null {
  const stat = lstatSync(bytesOf(raw), { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const kind = stat.isSymbolicLink() ? "link" : stat.isDirectory() ? "folder" : "file";
  const link = kind === "link" ? readlinkSync(bytesOf(raw), { encoding: "latin1" }) : null;
  return { raw, kind, id: `${stat.dev}:${stat.ino}`, link };
}

/** A folder that vanished meanwhile, or that nobody can read, holds nothing that could be used. */
function entriesOf(raw: string) {
  try {
    return readdirSync(bytesOf(raw), { withFileTypes: true, encoding: "latin1" as "utf8" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return [];
    throw error;
  }
}
