// `npm run release -- VERSION [--dry-run]`: moves the changelog's "Unreleased" to a version, sets that version in every manifest, and
// commits and tags it. Publishes nothing: the tag's workflow builds the artefacts, and a person publishes them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readManifest, root, run } from "./artefacts/stage.mjs";

const args = process.argv.slice(2);
const dryRun = args.includes("--dry-run");
const current = readManifest(root).version;
const version = args.find((arg) => !arg.startsWith("--")) ?? nextPatch(current);

const failure = problem();
if (failure !== null) {
  console.error(`release: ${failure}`);
  process.exit(1);
}
const { text, notes } = releaseChangelog(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version, new Date());
const manifests = run("git", [
  "ls-files",
  "package.json",
  "packages/*/package.json",
  "packages/doors/*/package.json",
  "apps/*/package.json",
  "examples/package.json",
])
  .trim()
  .split("\n");
const sdks = ["sdks/python/pyproject.toml", "sdks/rust/Cargo.toml", "sdks/rust/Cargo.lock"];
console.log(`${current} -> ${version}`);
console.log(`Manifests: ${[...manifests, ...sdks].join(", ")}`);
console.log(`Release notes:\n\n${notes}`);
if (dryRun)
  console.log(
    "Dry run: nothing was written. Next: npm run artefacts builds what this version would publish, npm run scoreboard writes its figures.",
  );
else write();

function nextPatch(from) {
  const [major, minor, patch] = from.split(".").map(Number);
  return `${major}.${minor}.${patch + 1}`;
}

function problem() {
  if (!/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(version)) return `${version} is not a version such as 1.2.3 or 1.2.3-beta.1.`;
  if (!dryRun && run("git", ["status", "--porcelain"]) !== "") return "There are uncommitted changes. Commit them first.";
  if (run("git", ["tag", "--list", `v${version}`]) !== "") return `v${version} is tagged already.`;
  return null;
}

/** The changelog with its unreleased part under a version, and that part alone. */
function releaseChangelog(changelog, name, at) {
  const found = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog);
  const body = found?.[1]?.trim() ?? "";
  if (body === "") {
    console.error('release: CHANGELOG.md has nothing under "## Unreleased".');
    process.exit(1);
  }
  const dated = `## Unreleased\n\n## ${name} - ${at.toISOString().slice(0, 10)}\n\n${body}\n\n`;
  return { text: changelog.replace(found[0], dated), notes: body };
}

function write() {
  writeFileSync(join(root, "CHANGELOG.md"), text);
  for (const file of [...manifests, ...sdks]) {
    const path = join(root, file);
    const before = readFileSync(path, "utf8");
    const own = file.endsWith(".json") ? manifestAt(before) : before.replace(`version = "${current}"`, `version = "${version}"`);
    writeFileSync(path, own);
  }
  run("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"]);
  run("git", ["commit", "--quiet", "--all", "--message", `Release ${version}`]);
  run("git", ["tag", "--annotate", `v${version}`, "--message", `HAP ${version}`]);
  console.log(`Committed and tagged v${version}. Push the tag to build its artefacts.`);
}

/** A manifest with this version, and with it as that of our packages that it depends on. */
function manifestAt(before) {
  return before
    .replace(`"version": "${current}"`, `"version": "${version}"`)
    .replaceAll(new RegExp(`("@hap/[a-z-]+": )"${current.replaceAll(".", "\\.")}"`, "g"), `$1"${version}"`);
}
