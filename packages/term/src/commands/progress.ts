// Progress on standard error: one line a finished trial, and on a terminal a bar that stays at the bottom.
import pc from "picocolors";
import type { Status, TrialResult } from "../run/trial-result.ts";

const GOOD: ReadonlySet<Status> = new Set(["passed", "completed"]);
const NEUTRAL: ReadonlySet<Status> = new Set(["unsupported", "interrupted"]);
const BAR_WIDTH = 24;

/** Writes progress; `end` removes the bar. */
export function makeProgress(
  out: NodeJS.WriteStream,
  total: number,
): { trial: (result: TrialResult, done: number) => void; end: () => void } {
  const counts = new Map<Status, number>();
  const bar = out.isTTY && total > 1;
  const clear = () => (bar ? out.write("\r\u001b[K") : true);
  return {
    trial(result, done) {
      counts.set(result.status, (counts.get(result.status) ?? 0) + 1);
      clear();
      const paint = GOOD.has(result.status) ? pc.green : NEUTRAL.has(result.status) ? pc.yellow : pc.red;
      const detail = GOOD.has(result.status) ? "" : `  ${result.detail}`;
      out.write(
        `${paint(result.status.padEnd(11))} ${result.task} #${result.trial}  ${result.steps} steps, ${result.seconds.toFixed(1)} s${detail}\n`,
      );
      if (!bar || done === total) return;
      const filled = Math.round((done / total) * BAR_WIDTH);
      const words = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
      out.write(`[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${done}/${total}  ${words}`);
    },
    end: () => void clear(),
  };
}
