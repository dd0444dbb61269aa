// Gate paths that appeared while a command was confined: moved out of the project, so that no program runs or obeys them. The
// command may have tried to make that fail, by taking rights away or by files that cannot be copied.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { SandboxError } from "../sandbox-error.ts";
import { type Gate, lookAtGate } from "./find-gates.ts";
import { bytesOf, rawOf, textOf } from "./raw-path.ts";
import { unlockFolder } from "./unlock-folder.ts";

/** What was moved, and where it is now. */
export type Quarantined = { path: string; kept: string };

/** Gates that exist now and did not before, or that are another file now. */
export function appearedGates(before: readonly Gate[], after: readonly Gate[]): Gate[] {
  const known = new Map(before.map((gate) => [gate.raw, gate]));
  return after.filter((gate) => {
    const old = known.get(gate.raw);
    return old === undefined || old.id !== gate.id || old.link !== gate.link;
  });
}

/** Move gates away. Links that were there before are restored: a link, unlike a folder or a file, cannot be mounted in place. */
export function quarantine(appeared: readonly Gate[], before: readonly Gate[], folder: string): Quarantined[] {
  if (appeared.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const moved: Quarantined[] = [];
  const left: string[] = [];
  let cause: unknown;
  for (const [at, gate] of appeared.entries()) {
    const path = textOf(gate.raw);
    try {
      moved.push({ path, kept: moveAway(gate, join(folder, String(at))) });
    } catch (error) {
      // The others have to go all the same.
      left.push(path);
      cause ??= error;
    }
  }
  for (const { raw, link } of before)
    if (link !== null && lookAtGate(raw) === null && existsSync(dirname(textOf(raw)))) symlinkSync(bytesOf(link), bytesOf(raw));
  if (left.length > 0)
    throw new SandboxError(
      "quarantine_failed",
      `A confined command made ${left.join(", ")}, which could run code outside the sandbox, and HAP could not move it away. Remove it by hand.`,
      { cause },
    );
  return moved;
}

/** Move a gate, and return where it is now. It loses its name first: what follows may fail and changes nothing about that. */
function moveAway(gate: Gate, kept: string): string {
  const above = gate.raw.slice(0, gate.raw.lastIndexOf("/"));
  const lock = unlockFolder(above, 0o700);
  try {
    const harmless = `${above}/hap-quarantine-${process.pid}-${Date.now()}-${kept.slice(kept.lastIndexOf("/") + 1)}`;
    renameSync(bytesOf(gate.raw), bytesOf(harmless));
    return carry(harmless, kept);
  } finally {
    lock();
  }
}

/** Into the quarantine folder, which may be on another disk. What cannot be copied stays in the project, under its harmless name. */
function carry(harmless: string, kept: string): string {
  // Moving a folder to another one changes its `..`, which needs the right to write it.
  unlockFolder(harmless, 0o700);
  try {
    renameSync(bytesOf(harmless), bytesOf(rawOf(kept)));
    return kept;
  } catch {
    const from = textOf(harmless);
    try {
      cpSync(from, kept, { recursive: true, verbatimSymlinks: true });
    } catch {
      rmSync(kept, { recursive: true, force: true });
      return from;
    }
    rmSync(from, { recursive: true, force: true });
    return kept;
  }
}
