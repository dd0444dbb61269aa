// The summary as a table of text.
import type { Summary } from "./summarise.ts";

/** A table: one line a task, the total last. */
export function printTable(tasks: readonly Summary[], total: Summary): string {
  const head = ["task", "trials", "passed", "rate", "95 %", "reward", "time", "steps", "tokens", "cost", "results"];
  const rows = [...tasks, ...(tasks.length === 1 ? [] : [total])].map(row);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 || column === head.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function row(summary: Summary): string[] {
  const { interval, statuses } = summary;
  return [
    summary.task,
    String(summary.trials),
    String(summary.passed),
    percent(summary.passRate),
    interval === null ? "-" : `${percent(interval[0])}..${percent(interval[1])}`,
    summary.meanReward === null ? "-" : summary.meanReward.toFixed(2),
    summary.meanSeconds === null ? "-" : `${summary.meanSeconds.toFixed(1)} s`,
    summary.meanSteps === null ? "-" : summary.meanSteps.toFixed(1),
    summary.meanTokens === null ? "-" : String(Math.round(summary.meanTokens)),
    dollars(summary.costUsd),
    Object.entries(statuses)
      .map(([status, count]) => `${count} ${status}`)
      .join(", "),
  ];
}

/** A cost in US dollars; small ones keep two digits that count. */
export function dollars(cost: number | null): string {
  if (cost === null) return "-";
  return `$${cost >= 1 || cost === 0 ? cost.toFixed(2) : cost.toPrecision(2)}`;
}

function percent(share: number | null): string {
  return share === null ? "-" : `${Math.round(share * 100)} %`;
}
