// `npm test`: every check, then every test; the last line is `N passed, N failed`. Runs on the pinned Node.
// --checks-only stops before the tests; other arguments go to vitest (a path or a name to narrow the run).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installSystemPackages } from "./system-packages.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const checksOnly = process.argv.includes("--checks-only");
const narrowed = process.argv.slice(2).filter((argument) => argument !== "--checks-only");

/** What must hold before a test runs: each is one command. */
const checks = [
  { name: "bundles", command: process.execPath, args: ["scripts/bundle.mjs"] },
  { name: "types", command: "tsc", args: ["--project", "."] },
  { name: "format and lint", command: "biome", args: ["check", "--error-on-warnings", "."] },
  { name: "arrows between packages", command: "depcruise", args: ["packages", "apps", "--config", ".dependency-cruiser.mjs"] },
  { name: "nothing unused", command: "knip", args: [] },
  { name: "spec is current", command: process.execPath, args: ["scripts/generate-spec.ts", "--check"] },
];

/** More failures than this are no accident of timing. */
const mostUnsteady = 5;

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

/** Run test files; what vitest said of each test, and whether the run itself came to a good end. */
function runTests(...args) {
  const folder = mkdtempSync(join(tmpdir(), "hap-test-"));
  const report = join(folder, "report.json");
  const { status } = run("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args]);
  try {
    return { status, ...JSON.parse(readFileSync(report, "utf8")) };
  } catch (error) {
    console.log(`FAIL vitest left no report: ${error.message}`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const failedFiles = ({ testResults }) => testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
const namesOfFailed = ({ testResults }) =>
  testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "failed"));

if (!checksOnly) {
  if (narrowed.length === 0) installSystemPackages();
  const result = runTests(...narrowed);
  if (result === undefined) failed++;
  else {
    passed += result.numPassedTests;
    const skipped = result.numPendingTests + result.numTodoTests;
    if (skipped > 0) console.log(`FAIL ${skipped} tests were skipped; a test that does not run proves nothing`);
    failed += skipped;
    const suspects = namesOfFailed(result);
    if (suspects.length > 0 && suspects.length <= mostUnsteady) {
      // Real processes and browsers share two cores here. What fails beside others has one more run, alone, and is named
      // in the output either way: an unsteady test is a defect to mend, not a reason to doubt the change at hand.
      console.log(`${suspects.length} failed; their files run once more, one at a time:`);
      const again = runTests("--no-file-parallelism", ...failedFiles(result));
      const still = new Set(again === undefined ? [] : namesOfFailed(again).map(({ fullName }) => fullName));
      for (const { fullName } of suspects) {
        if (again === undefined || still.has(fullName)) failed++;
        else {
          passed++;
          console.log(`UNSTEADY ${fullName}: failed beside other tests, passed alone`);
        }
      }
      for (const name of still) if (!suspects.some(({ fullName }) => fullName === name)) failed++;
      if (again !== undefined && again.status !== 0 && still.size === 0) failed++;
    } else {
      failed += suspects.length;
      // A file that cannot be loaded, or an error outside of a test, fails the run without failing a test.
      if (result.status !== 0 && suspects.length === 0) failed++;
    }
  }
}

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
