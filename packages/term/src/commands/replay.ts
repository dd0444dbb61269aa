// `term replay`: a recording in this terminal, at its own pace or faster; or the steps as text.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pc from "picocolors";
import { readCast, readTrajectory } from "../report/read-trial.ts";
import { readResults } from "../run/run-folder.ts";
import type { TrajectoryEntry } from "../run/trajectory.ts";
import { TermError } from "../term-error.ts";

export type ReplayFlags = { trial?: string; speed: number; idle: number; steps?: boolean };

/** Replay a trial. */
export async function replayCommand(run: string, flags: ReplayFlags): Promise<number> {
  const folder = findTrial(run, flags.trial);
  if (flags.steps) {
    for (const entry of readTrajectory(folder)) process.stdout.write(`${describeStep(entry)}\n`);
    return 0;
  }
  const file = join(folder, "terminal.cast");
  if (!existsSync(file)) throw new TermError("run_missing", `${folder} has no recording.`);
  let shown = 0;
  for (const { at, text } of readCast(readFileSync(file, "utf8"))) {
    await sleep(Math.min(at - shown, flags.idle) * (1000 / flags.speed));
    shown = at;
    process.stdout.write(text);
  }
  process.stdout.write("\n");
  return 0;
}

function findTrial(run: string, name: string | undefined): string {
  // The folder of a trial itself will do.
  if (existsSync(join(run, "trajectory.jsonl")) || existsSync(join(run, "terminal.cast"))) return run;
  const trials = readResults(run);
  const found = name === undefined ? trials[0] : trials.find((trial) => trial.name === name);
  if (found === undefined)
    throw new TermError(
      "run_missing",
      `${run} has no trial ${name ?? "that finished"}; it has: ${trials.map((trial) => trial.name).join(", ") || "none"}.`,
    );
  return found.folder;
}

/** One step as text: what was asked of the terminal, what it said. */
function describeStep(entry: TrajectoryEntry): string {
  const head = pc.bold(`step ${entry.step}`);
  if (entry.response === null) return `${head}  ${pc.red(entry.problem ?? "no response")}`;
  const said = entry.response.text ? `\n  ${pc.dim(entry.response.text.replaceAll("\n", "\n  "))}` : "";
  const command = entry.last_command ? `\n  $ ${entry.last_command.trimEnd().replaceAll("\n", "\n    ")}` : "";
  const output = entry.output ? `\n  ${entry.output.replaceAll("\n", "\n  ")}` : "";
  const code = entry.exit_code === null || entry.exit_code === undefined ? "" : `\n  exit code ${entry.exit_code}`;
  const gate =
    entry.gate && entry.gate.status !== "not_asked"
      ? `\n  gate: ${entry.gate.status} (${entry.gate.ticket_id ?? entry.gate.words})`
      : "";
  return `${head}${said}${command}${gate}${output}${code}${entry.response.taskComplete ? "\n  complete" : ""}`;
}
