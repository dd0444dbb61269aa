// What the hook tells `hap run --confined` about a session: who asks, and where tickets go. Written by the hook, read here.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Watched } from "@hap/sandbox";
import * as z from "zod";

const sessionSchema = z.object({
  agent: z.string().nullable(),
  store: z.string().nullable(),
  to: z.string().nullable(),
  /** Files and folders of the hook. */
  own: z.array(z.string()).default([]),
});
export type SessionFile = z.infer<typeof sessionSchema>;

/** The session's file; a session that no hook began has none. */
export function readSessionFile(folder: string): SessionFile {
  const none = { agent: null, store: null, to: null, own: [] };
  try {
    return sessionSchema.parse(JSON.parse(readFileSync(join(folder, "session.json"), "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return none;
    throw error;
  }
}

/** What the last command left running; null where nothing is. */
export function readLeft(folder: string): Watched | null {
  try {
    return JSON.parse(readFileSync(join(folder, "left.json"), "utf8")) as Watched | null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Keep it for the next command, and for the end of the session. */
export function writeLeft(folder: string, left: Watched | null): void {
  writeFileSync(join(folder, "left.json"), JSON.stringify(left), { mode: 0o600 });
}
