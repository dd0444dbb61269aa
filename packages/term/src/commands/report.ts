// `term report`: figures over runs, as a table, as JSON, and as a page.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { printTable } from "../report/print-table.ts";
import { readTrajectory } from "../report/read-trial.ts";
import { type PageTrial, renderPage } from "../report/render-page.ts";
import { summarise } from "../report/summarise.ts";
import { readResults } from "../run/run-folder.ts";

export type ReportFlags = { html?: string; json?: boolean };

/** Report on runs. */
export async function reportCommand(runs: readonly string[], flags: ReportFlags): Promise<number> {
  const trials = runs.flatMap((run) => readResults(run).map((trial) => ({ ...trial, run: basename(resolve(run)) })));
  const { tasks, total } = summarise(trials.map(({ result }) => result));
  if (flags.html !== undefined) {
    const { renderFrames } = await import("../report/render-frames.ts");
    const pages: PageTrial[] = [];
    for (const { name, folder, result, run } of trials) {
      const cast = join(folder, "terminal.cast");
      const frames = existsSync(cast) ? await renderFrames(readFileSync(cast, "utf8")) : [];
      pages.push({ name: runs.length > 1 ? `${run}/${name}` : name, result, steps: readTrajectory(folder), frames });
    }
    const title = `term: ${runs.map((run) => basename(resolve(run))).join(", ")}`;
    writeFileSync(flags.html, renderPage({ title, tasks, total, trials: pages }));
  }
  if (flags.json) process.stdout.write(`${JSON.stringify({ tasks, total }, null, 2)}\n`);
  else process.stdout.write(`${printTable(tasks, total)}\n${flags.html === undefined ? "" : `\n${resolve(flags.html)}\n`}`);
  return 0;
}
