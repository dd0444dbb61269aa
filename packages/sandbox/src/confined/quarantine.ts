// Gate names that appeared while a command was confined: moved out of the project, so that nothing runs or obeys them.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { bytesOf, type Gate, lookAtGate, textOf } from "./find-gates.ts";

/** What was moved, and where it is now. */
export type Quarantined = { path: string; kept: string };

/** Gates that exist now and did not, or that are another file now. */
export function appearedGates(before: readonly Gate[], after: readonly Gate[]): Gate[] {
  const known = new Map(before.map((gate) => [gate.raw, gate]));
  return after.filter((gate) => {
    const old = known.get(gate.raw);
    return old === undefined || old.id !== gate.id || old.link !== gate.link;
  });
}

/** Move gates away. Links that were there before are put back: a link, unlike a folder or a file, cannot be held in place. */
export function quarantine(appeared: readonly Gate[], before: readonly Gate[], folder: string): Quarantined[] {
  if (appeared.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const moved = appeared.map((gate, at) => {
    const kept = join(folder, String(at));
    move(gate, kept);
    return { path: textOf(gate.raw), kept };
  });
  for (const { raw, link } of before)
    if (link !== null && lookAtGate(raw) === null && existsSync(dirname(textOf(raw)))) symlinkSync(bytesOf(link), bytesOf(raw));
  return moved;
}

function move(gate: Gate, kept: string): void {
  try {
    renameSync(bytesOf(gate.raw), kept);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const from = textOf(gate.raw);
    cpSync(from, kept, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  }
}
