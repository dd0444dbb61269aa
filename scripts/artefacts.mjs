// `npm run artefacts`: everything that is published, into artefacts/. With names (npm python crates bin oci) only those parts.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { buildBinary } from "./artefacts/build-binary.mjs";
import { packCommands, stageCommands } from "./artefacts/build-commands.mjs";
import { buildImage } from "./artefacts/build-image.mjs";
import { buildLibrary } from "./artefacts/build-libraries.mjs";
import { buildCrate, buildWheel } from "./artefacts/build-sdks.mjs";
import { commands, libraries } from "./artefacts/published.ts";
import { root, run, version } from "./artefacts/stage.mjs";

const all = ["npm", "python", "crates", "bin", "oci"];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`artefacts: ${unknown.join(", ")} is not one of ${all.join(", ")}.`);
  process.exit(2);
}
const wanted = new Set(asked.length > 0 ? asked : all);
const out = join(root, "artefacts");
const staging = join(out, "staging");

rmSync(staging, { recursive: true, force: true });
for (const name of wanted) rmSync(join(out, name), { recursive: true, force: true });
mkdirSync(staging, { recursive: true });

const bundles = () => run(process.execPath, ["scripts/bundle.mjs", "--clean"]);
const steps = [
  { part: "npm", name: "libraries", make: buildLibraries },
  { part: "npm", name: "commands", make: buildCommands },
  { part: "python", name: "wheel", make: () => buildWheel(join(out, "python")) },
  { part: "crates", name: "crate", make: () => buildCrate(join(out, "crates"), staging) },
  { part: "bin", name: "single file", make: () => buildBinary(join(out, "bin"), staging) },
  { part: "oci", name: "image", make: () => buildImage(join(out, "oci"), join(out, "bin"), staging) },
];
bundles();
for (const { part, name, make } of steps) {
  if (!wanted.has(part)) continue;
  const started = performance.now();
  await make();
  console.log(`${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}
writeSbom();
writeNotes();
rmSync(staging, { recursive: true, force: true });
writeSums();

async function buildLibraries() {
  for (const library of libraries) await buildLibrary(library, libraries, { staging, out: join(out, "npm") });
}

function buildCommands() {
  const folder = join(staging, "hap");
  stageCommands(commands, folder, join(staging, "@hap+term-sdk"));
  packCommands(folder, join(out, "npm"));
}

/** What is inside, by CycloneDX: the packages that are installed to run, without those that only tests need. */
function writeSbom() {
  const text = run("npm", ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"]);
  writeFileSync(join(out, "hap.cdx.json"), text);
}

/** This version's part of the changelog; before its release, the unreleased part. */
function writeNotes() {
  const parts = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  const notes = parts.find((part) => part.startsWith(`${version} `)) ?? parts.find((part) => part.startsWith("Unreleased"));
  writeFileSync(join(out, "release-notes.md"), notes?.slice(notes.indexOf("\n")).trim() ?? "");
}

function writeSums() {
  const files = readdirSync(out, { recursive: true })
    .map((name) => join(out, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith("SHA256SUMS"))
    .sort();
  const sums = files.map((path) => `${createHash("sha256").update(readFileSync(path)).digest("hex")}  ${relative(out, path)}`);
  writeFileSync(join(out, "SHA256SUMS"), `${sums.join("\n")}\n`);
  for (const path of files) console.log(`${(statSync(path).size / 1e6).toFixed(1).padStart(7)} MB  ${relative(root, path)}`);
}
