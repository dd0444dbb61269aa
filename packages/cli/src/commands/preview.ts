// hap preview: reads the transcripts of past sessions on this machine, and says what the gate would have done. Writes nothing.
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { fitWidth } from "../context.ts";
import { parseNumber } from "../input/number.ts";
import type { Counts, Judged } from "../preview/judge-history.ts";
import { readHistory } from "../preview/read-history.ts";
import type { Transcripts } from "../preview/read-transcripts.ts";
import { examples } from "../program.ts";
import { oneLine } from "../show/agent-text.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";
import { moment } from "../show/time-words.ts";
import { truncate } from "../terminal/width.ts";
import { wrapLines } from "../terminal/wrap.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

type Options = { days?: string; all?: true };

export function define(command: Command, context: Context): void {
  command
    .description(
      "What HAP would have done in your past sessions of Claude Code and Codex: how many calls would have run, run confined, asked you or been denied, and the five most worth seeing. Reads the transcripts on this machine. Nothing is sent, installed or written.",
    )
    .option("--days <N>", `how far back (default ${DEFAULT_DAYS})`)
    .option("--all", "everything that is there")
    .addHelpText("after", examples("hap preview", "hap preview --all", "hap preview --days 7 --json"))
    .action((options: Options) => preview(context, options));
}

async function preview(context: Context, options: Options): Promise<void> {
  const days = options.all === true ? null : (parseNumber(options.days, "--days", "a number of days") ?? DEFAULT_DAYS);
  const since = days === null ? 0 : context.now() - days * DAY_MS;
  const { history, transcripts, canConfine } = await readHistory(context, since);
  const sessions = Object.fromEntries(transcripts.map(({ host, files }) => [host, files.length]));
  const { counts } = history;
  if (context.json)
    return printJson(context, { days, sessions, ...counts, can_confine: canConfine, worth_seeing: history.worthSeeing() });
  if (counts.calls === 0) return printNothing(context, days, transcripts);
  printCounts(context, counts, days, transcripts);
  if (!canConfine && transcripts.some(({ confinedByHap, files }) => confinedByHap && files.length > 0))
    context.out.line("Nothing can be confined on this machine, so what is not proven harmless asks. `hap doctor` says why.\n");
  printWorth(context, history.worthSeeing(), transcripts);
  context.out.line("Next: `hap claude` or `hap codex` runs your agent behind the gate; `hap start` opens your inbox.");
}

function printNothing(context: Context, days: number | null, transcripts: readonly Transcripts[]): void {
  const files = transcripts.reduce((sum, found) => sum + found.files.length, 0);
  const when = days === null ? "" : ` of the last ${days} days`;
  context.out.line(
    files === 0
      ? `No transcripts${when} of Claude Code (~/.claude/projects) or Codex (~/.codex/sessions) are here. Try \`--all\`, or come back after a session.`
      : `No tool calls in the ${files} transcripts${when}. Try \`--all\`.`,
  );
}

function printCounts(context: Context, counts: Counts, days: number | null, transcripts: readonly Transcripts[]): void {
  const { paint } = styleOf(context);
  const share = (count: number) => `${((100 * count) / counts.calls).toFixed(1).padStart(5)} %`;
  const sessions = transcripts.filter(({ files }) => files.length > 0).map(({ title, files }) => `${files.length} of ${title}`);
  const when = days === null ? "" : `, last ${days} days`;
  context.out.line(`${counts.calls} tool calls in ${sessions.join(" and ")} sessions${when}. With HAP:\n`);
  const rows = [
    ["would run", counts.run, paint.green, "proven harmless, or reading"],
    ["would run confined", counts.confined, paint.green, "in a sandbox, without asking"],
    ["would ask you", counts.ask, paint.yellow, "and wait for your answer"],
    ["would be denied", counts.deny, paint.red, "by your policy, or unreadable"],
  ] as const;
  for (const [what, count, tint, note] of rows)
    context.out.line(
      `  ${what.padEnd(20)} ${tint(String(count).padStart(String(counts.calls).length))}  ${share(count)}  ${paint.dim(note)}`,
    );
  context.out.line();
}

function printWorth(context: Context, worth: readonly Judged[], transcripts: readonly Transcripts[]): void {
  if (worth.length === 0) return;
  const { paint } = styleOf(context);
  const width = fitWidth(context) ?? 120;
  context.out.line("Most worth seeing:\n");
  for (const { verdict, tier, about, why, cwd, at, host } of worth) {
    const tint = tier === "critical" ? paint.red : paint.yellow;
    context.out.line(`  ${tint(verdict === "deny" ? "deny" : "ask ")}  ${paint.bold(truncate(oneLine(about), width - 8))}`);
    for (const line of wrapLines(why, Math.max(20, width - 8))) context.out.line(`        ${line}`);
    const when = at === "" ? "" : `${moment(at)}, `;
    context.out.line(paint.dim(`        ${when}${transcripts.find((of) => of.host === host)?.title ?? host} in ${oneLine(cwd)}`));
  }
  context.out.line();
}
