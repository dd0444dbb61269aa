// `npm run bench [-- NAME...] [-- --quick]`: runs the benchmarks one after another and prints a table; `--write` puts it into
// docs/performance.md. Ratios of one run mean something; absolute figures are of this machine at this hour.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { bullmqPeer } from "./bullmq-peer.ts";
import { commandStart } from "./command-start.ts";
import { cueWakeUp } from "./cue-wake-up.ts";
import { cycles } from "./cycles.ts";
import { desktopStart } from "./desktop-start.ts";
import { gateFuzz } from "./gate-fuzz.ts";
import { growth } from "./growth.ts";
import { hookRuns } from "./hook.ts";
import { hostileAgent } from "./hostile-agent.ts";
import { httpCycles } from "./http-cycles.ts";
import { idleWaiters } from "./idle-waiters.ts";
import { install } from "./install.ts";
import { mcpStart } from "./mcp-start.ts";
import type { Benchmark, Result } from "./measure.ts";
import { pageSpeed } from "./page.ts";
import { postgresCycles } from "./postgres.ts";
import { bypassesOfClaudeCode, prompts, promptsOfClaudeCode } from "./prompts.ts";
import { signatures } from "./signatures.ts";
import { termSteps } from "./term-steps.ts";
import { ticketCreation } from "./ticket-creation.ts";
import { verification } from "./verification.ts";
import { wakeUp } from "./wake-up.ts";
import { yumePeers } from "./yume-peers.ts";
import { yumeStart } from "./yume-start.ts";

const all: Benchmark[] = [
  ticketCreation,
  cycles,
  wakeUp,
  cueWakeUp,
  verification,
  signatures,
  commandStart,
  mcpStart,
  growth,
  termSteps,
  hookRuns,
  prompts,
  yumeStart,
  httpCycles,
  hostileAgent,
  idleWaiters,
];
/** Only when named: they install what they compare with, or take long. */
const peers: Benchmark[] = [
  bullmqPeer,
  postgresCycles,
  yumePeers,
  gateFuzz,
  promptsOfClaudeCode,
  bypassesOfClaudeCode,
  desktopStart,
  install,
  pageSpeed,
];
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const quick = flags.includes("--quick");
const full = flags.includes("--full");
const chosen = names.length === 0 ? all : [...all, ...peers].filter(({ name }) => names.some((wanted) => name.includes(wanted)));
if (chosen.length === 0) {
  console.error(
    `There is no benchmark ${names.join(", ")}; there are: ${[...all, ...peers].map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}

const results: Result[] = [];
for (const benchmark of chosen) {
  console.error(`${benchmark.name} ...`);
  results.push(...(await benchmark.run({ quick, full })));
}

const figure = (value: number) => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2));
const table = [
  "| what | measured | baseline in the same run | ratio | target | met |",
  "|---|---|---|---|---|---|",
  ...results.map(
    ({ name, value, unit, baseline, ratio, target, met }) =>
      `| ${name} | ${figure(value)} ${unit} | ${baseline === undefined ? "" : `${baseline.name}: ${figure(baseline.value)} ${unit}`} | ${ratio === undefined ? "" : ratio.toFixed(2)} | ${target ?? ""} | ${met === undefined ? "" : met ? "yes" : "**no**"} |`,
  ),
].join("\n");
console.log(table);

if (flags.includes("--write")) {
  const page = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
  const text = readFileSync(page, "utf8");
  const [before = ""] = text.split("<!-- results -->");
  const [, after = ""] = text.split("<!-- end of results -->");
  const head = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${new Date().toISOString().slice(0, 10)}${quick ? ", quick run" : ""}.`;
  writeFileSync(page, `${before}<!-- results -->\n${head}\n\n${table}\n<!-- end of results -->${after}`);
}
