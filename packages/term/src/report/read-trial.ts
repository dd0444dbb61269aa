// Reads back what a trial left: its trajectory and its recording. A line that is cut off at the end is passed over.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TrajectoryEntry } from "../run/trajectory.ts";

/** The steps of a trial. */
export function readTrajectory(folder: string): TrajectoryEntry[] {
  const file = join(folder, "trajectory.jsonl");
  return existsSync(file) ? (readLines(readFileSync(file, "utf8")) as TrajectoryEntry[]) : [];
}

/** What a recording shows, with its time in seconds. */
export function readCast(text: string): { at: number; text: string }[] {
  const [, ...events] = readLines(text);
  return events.flatMap((event) => {
    if (!Array.isArray(event)) return [];
    const [at, kind, shown] = event as unknown[];
    return kind === "o" && typeof at === "number" && typeof shown === "string" ? [{ at, text: shown }] : [];
  });
}

function readLines(text: string): unknown[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}
