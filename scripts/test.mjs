// `npm test`: every check, then every test; the last line is `N passed, N failed`. Runs on the pinned Node.
// --checks-only stops before the tests; other arguments go to vitest (a path or a name to narrow the run).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const checksOnly = process.argv.includes("--checks-only");
const narrowed = process.argv.slice(2).filter((argument) => argument !== "--checks-only");

/** What must hold before a test runs: each is one command. */
const checks = [
  { name: "bundles", command: process.execPath, args: ["scripts/bundle.mjs"] },
  { name: "types", command: "tsc", args: ["--project", "."] },
  { name: "format and lint", command: "biome", args: ["check", "--error-on-warnings", "."] },
  { name: "arrows between packages", command: "depcruise", args: ["packages", "--config", ".dependency-cruiser.mjs"] },
  { name: "nothing unused", command: "knip", args: [] },
  { name: "spec is current", command: process.execPath, args: ["scripts/generate-spec.ts", "--check"] },
];

let passed = 0;
let failed = 0;

function run(command, args, env = {}) {
  return spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` },
    shell: process.platform === "win32",
  });
}

for (const { name, command, args } of narrowed.length > 0 ? [] : checks) {
  const started = performance.now();
  const { status, error } = run(command, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status === 0) passed++;
  else failed++;
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)${error ? `: ${error.message}` : ""}`);
}

if (!checksOnly) {
  const folder = mkdtempSync(join(tmpdir(), "hap-test-"));
  const report = join(folder, "report.json");
  const { status } = run("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...narrowed]);
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, "utf8"));
    const skipped = numPendingTests + numTodoTests;
    if (skipped > 0) console.log(`FAIL ${skipped} tests were skipped; a test that does not run proves nothing`);
    passed += numPassedTests;
    failed += numFailedTests + skipped;
    // A file that cannot be loaded, or an error outside of a test, fails the run without failing a test.
    if (status !== 0 && numFailedTests === 0) failed++;
  } catch (error) {
    console.log(`FAIL vitest left no report: ${error.message}`);
    failed++;
  }
  rmSync(folder, { recursive: true, force: true });
}

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
