// The report as one HTML file: the table, every trajectory to step through, every recording to play. No network, no frameworks;
// everything that came from agents or terminals is put in as text.
import type { TrajectoryEntry } from "../run/trajectory.ts";
import type { TrialResult } from "../run/trial-result.ts";
import { PAGE_SCRIPT, PAGE_STYLE } from "./page-assets.ts";
import type { Frame } from "./render-frames.ts";
import type { Summary } from "./summarise.ts";

export type PageTrial = { name: string; result: TrialResult; steps: TrajectoryEntry[]; frames: Frame[] };

/** The page. */
export function renderPage(input: { title: string; tasks: Summary[]; total: Summary; trials: PageTrial[] }): string {
  const rows = [...input.tasks, input.total].map(summaryRow).join("\n");
  const items = input.trials.map(trialItem).join("\n");
  const data = input.trials.map(({ steps, frames }) => ({ steps: steps.map(stepView), frames }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(input.title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<h1>${escapeHtml(input.title)}</h1>
<table><thead><tr><th>task</th><th>trials</th><th>passed</th><th>rate</th><th>95 %</th><th>reward</th><th>time</th><th>steps</th></tr></thead>
<tbody>${rows}</tbody></table>
<h2>Trials</h2>
${items}
<script type="application/json" id="data">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function summaryRow(summary: Summary): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const cells = [
    summary.task,
    summary.trials,
    summary.passed,
    summary.passRate === null ? "-" : percent(summary.passRate),
    summary.interval === null ? "-" : summary.interval.map(percent).join(" .. "),
    summary.meanReward?.toFixed(2) ?? "-",
    summary.meanSeconds === null ? "-" : `${summary.meanSeconds.toFixed(1)} s`,
    summary.meanSteps?.toFixed(1) ?? "-",
  ];
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join("")}</tr>`;
}

function trialItem({ name, result, steps, frames }: PageTrial, index: number): string {
  const facts = `${result.steps} steps, ${result.seconds.toFixed(1)} s, sandbox ${result.sandbox.kind ?? "-"}`;
  return `<details data-trial="${index}"><summary><b class="${escapeHtml(result.status)}">${escapeHtml(result.status)}</b> ${escapeHtml(name)} <small>${escapeHtml(facts)}</small></summary>
<p>${escapeHtml(result.detail)}</p>
<section class="steps" aria-label="steps"><button type="button" data-do="back">&larr;</button> <button type="button" data-do="next">&rarr;</button> <span class="where">${steps.length} steps</span><pre></pre></section>
<section class="player" aria-label="recording"><button type="button" data-do="play">play</button> <input type="range" min="0" max="${Math.max(0, frames.length - 1)}" value="0" aria-label="position"><pre class="screen"></pre></section>
</details>`;
}

/** What the page shows of a step. */
function stepView(entry: TrajectoryEntry): { step: number; said: string; command: string; output: string; end: string } {
  const gate = entry.gate && entry.gate.status !== "not_asked" ? `gate: ${entry.gate.status}` : "";
  const code = entry.exit_code === null || entry.exit_code === undefined ? "" : `exit code ${entry.exit_code}`;
  return {
    step: entry.step,
    said: entry.response?.text ?? entry.problem ?? "",
    command: entry.last_command ?? "",
    output: entry.output ?? "",
    end: [gate, code, entry.response?.taskComplete ? "complete" : ""].filter(Boolean).join(", "),
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
