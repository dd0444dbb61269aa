// What every benchmark shares: temporary stores, interleaved rounds, medians and percentiles, and one shape of result.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** One line of the report: a figure, the raw limit or peer measured in the same run, and the ratio that is aimed at. */
export type Result = {
  name: string;
  value: number;
  unit: string;
  baseline?: { name: string; value: number };
  ratio?: number;
  target?: string;
  met?: boolean;
};

/** A benchmark: a name and what it measures. */
export type Benchmark = { name: string; run: (options: { quick: boolean; full: boolean }) => Promise<Result[]> | Result[] };

/** A folder that is removed when `work` is done. */
export async function withFolder<T>(work: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "hap-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Calls per second of `work`, called `count` times. */
export function perSecond(count: number, work: (index: number) => void): number {
  const started = performance.now();
  for (let index = 0; index < count; index++) work(index);
  return (count * 1000) / (performance.now() - started);
}

/** Cycles per second, `concurrent` of them under way at any time. */
export async function cyclesPerSecond(count: number, concurrent: number, cycle: () => Promise<void>): Promise<number> {
  const started = performance.now();
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun++;
      await cycle();
    }
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
  return (count * 1000) / (performance.now() - started);
}

/** A bare SQLite file with the store's own settings: the limit that ours is measured against. */
export function rawDatabase(path: string, schema: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(
    `PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000; PRAGMA wal_autocheckpoint=4000; ${schema}`,
  );
  return database;
}

/** A ratio that should be at least, or at most, its target. */
export function compare(
  result: Omit<Result, "ratio" | "met"> & { baseline: { name: string; value: number } },
  goal: { least?: number; most?: number },
): Result {
  const ratio = result.value / result.baseline.value;
  const met = (goal.least === undefined || ratio >= goal.least) && (goal.most === undefined || ratio <= goal.most);
  const target = goal.least !== undefined ? `>= ${goal.least}` : `<= ${goal.most}`;
  return { ...result, ratio, target, met };
}
