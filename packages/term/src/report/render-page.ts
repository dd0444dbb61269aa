// The report as one HTML file: the table, every trajectory to step through, every recording to play. No network, no frameworks;
// everything that came from agents or terminals is put in as text.
import type { TrajectoryEntry } from "../run/trajectory.ts";
import { STATUSES, type TrialResult } from "../run/trial-result.ts";
import { PAGE_SCRIPT, PAGE_STYLE } from "./page-assets.ts";
import { dollars } from "./print-table.ts";
import type { Frame } from "./render-frames.ts";
import type { Summary } from "./summarise.ts";

export type PageTrial = { name: string; result: TrialResult; steps: TrajectoryEntry[]; frames: Frame[] };

/** The page. */
export function renderPage(input: { title: string; tasks: Summary[]; total: Summary; trials: PageTrial[] }): string {
  const { title, tasks, total, trials } = input;
  const data = trials.map(({ steps, frames }) => ({ steps: steps.map(stepView), frames }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1>
<p>${total.passed} of ${total.counted} trials passed${total.counted < total.trials ? `; ${total.trials - total.counted} not counted` : ""}</p></header>
<div class="scroll"><table><thead><tr><th>task</th><th>trials</th><th>passed</th><th>rate</th><th colspan="2">95 % interval</th><th>reward</th><th>time</th><th>steps</th><th>tokens</th><th>cost</th><th>results</th></tr></thead>
<tbody>${tasks.map((task) => summaryRow(task, "")).join("\n")}
${tasks.length === 1 ? "" : summaryRow(total, "total")}</tbody></table></div>
<h2>Trials</h2>
${filters(total)}
${trials.map(trialItem).join("\n")}
<script type="application/json" id="data">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function summaryRow(summary: Summary, name: string): string {
  const { interval, passRate, statuses } = summary;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const results = Object.entries(statuses).map(([status, count]) => `${count} ${status}`);
  const cells = [
    escapeHtml(summary.task),
    summary.trials,
    summary.passed,
    passRate === null ? "-" : percent(passRate),
    interval === null ? "-" : `${percent(interval[0])} to ${percent(interval[1])}`,
    interval === null || passRate === null ? "" : intervalBar(interval, passRate),
    summary.meanReward?.toFixed(2) ?? "-",
    summary.meanSeconds === null ? "-" : `${summary.meanSeconds.toFixed(1)} s`,
    summary.meanSteps?.toFixed(1) ?? "-",
    summary.meanTokens === null ? "-" : Math.round(summary.meanTokens),
    dollars(summary.costUsd),
    escapeHtml(results.join(", ")),
  ];
  return `<tr class="${name}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

/** The interval as a stretch of a line from 0 to 100 %, the rate as a mark on it. */
function intervalBar([from, to]: [number, number], rate: number): string {
  const place = (share: number) => `${(share * 100).toFixed(1)}%`;
  return `<span class="range" aria-hidden="true"><i style="left:${place(from)};width:${place(to - from)}"></i><b style="left:${place(rate)}"></b></span>`;
}

/** One button a result; none where all trials ended alike. */
function filters({ statuses, trials }: Summary): string {
  const present = STATUSES.filter((status) => statuses[status] !== undefined);
  if (present.length < 2) return "";
  const button = (show: string, count: number) =>
    `<button type="button" data-show="${show}" aria-pressed="${show === "all"}">${show} ${count}</button>`;
  return `<div class="filters" role="group" aria-label="show">${button("all", trials)}${present.map((status) => button(status, statuses[status] ?? 0)).join("")}</div>`;
}

function trialItem({ name, result, steps, frames }: PageTrial, index: number): string {
  const status = escapeHtml(result.status);
  const waited = result.gate_wait_seconds > 0 ? `, ${result.gate_wait_seconds.toFixed(1)} s waiting for a person` : "";
  const tokens = (result.usage?.prompt_tokens ?? 0) + (result.usage?.completion_tokens ?? 0);
  const used = result.usage == null ? "" : `, ${tokens} tokens, ${dollars(result.usage.cost_usd)}`;
  const facts = `${result.steps} steps, ${result.seconds.toFixed(1)} s${waited}${used}, sandbox ${result.sandbox.kind ?? "-"}`;
  return `<details data-trial="${index}" data-status="${status}"><summary><span class="status ${status}">${status}</span><b>${escapeHtml(name)}</b><span class="facts">${escapeHtml(facts)}</span></summary>
<div class="trial"><p class="instruction">${escapeHtml(steps[0]?.request.instruction ?? "")}</p><p class="facts">${escapeHtml(result.detail)}</p>
<div class="panes"><section class="steps" aria-label="steps"><div class="controls"><h3>Steps</h3><span class="where" aria-live="polite"></span><button type="button" data-do="back" aria-label="previous step">&larr;</button><button type="button" data-do="next" aria-label="next step">&rarr;</button></div>
<p class="said"></p><pre class="command"></pre><pre class="output"></pre><p class="end"></p></section>
<section class="player" aria-label="recording"><div class="controls"><h3>Recording</h3><button type="button" data-do="play"${frames.length === 0 ? " disabled" : ""}>play</button><input type="range" min="0" max="${Math.max(0, frames.length - 1)}" value="0" aria-label="position"><span class="time"></span></div>
<pre class="screen" tabindex="0"></pre></section></div></div>
</details>`;
}

/** What the page shows of a step. */
function stepView(entry: TrajectoryEntry): { step: number; said: string; command: string; output: string; end: string } {
  const gate = entry.gate && entry.gate.status !== "not_asked" ? `gate: ${entry.gate.status}` : "";
  const code = entry.exit_code === null || entry.exit_code === undefined ? "" : `exit code ${entry.exit_code}`;
  const took = entry.command_seconds === undefined || code === "" ? "" : `${entry.command_seconds.toFixed(1)} s`;
  return {
    step: entry.step,
    said: entry.response?.text ?? entry.problem ?? "",
    command: entry.last_command ?? "",
    output: entry.output ?? "",
    end: [gate, code, took, entry.response?.taskComplete ? "complete" : ""].filter(Boolean).join(", "),
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
