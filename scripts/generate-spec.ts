// Writes what spec/ has that follows from the code: schemas, the error table, the verdicts on shell commands and the vectors.
// `node scripts/generate-spec.ts` writes; with `--check` it writes nothing, lists what is not current and exits 1.
// `--into FOLDER` takes another folder than spec/.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { SCHEMA_VERSION } from "../packages/core/src/store/sqlite/migrations.ts";
import { errorTable } from "./spec/error-table.ts";
import { schemaFiles } from "./spec/schemas.ts";
import { shellVerdicts } from "./spec/shell-verdicts.ts";
import { vectorFiles } from "./spec/vector-files.ts";

const { values: options } = parseArgs({ options: { check: { type: "boolean" }, into: { type: "string" } } });
const spec = options.into ?? join(import.meta.dirname, "../spec");
const wanted = new Map<string, string>([
  ["errors.md", errorTable()],
  ["shell-verdicts.md", shellVerdicts()],
  // For readers of the store that are not written in TypeScript.
  ["store-schema.txt", `${SCHEMA_VERSION}\n`],
]);
for (const [path, text] of schemaFiles()) wanted.set(`schemas/${path}`, text);
for (const [path, text] of vectorFiles()) wanted.set(`vectors/${path}`, text);

const found = ["schemas", "vectors"].flatMap((folder) =>
  existsSync(join(spec, folder))
    ? readdirSync(join(spec, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(spec, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    : [],
);
const stale = [...wanted].filter(
  ([path, text]) => !existsSync(join(spec, path)) || readFileSync(join(spec, path), "utf8") !== text,
);
/** Written by hand, for harness and SDKs. */
const byHand = (path: string) => path.startsWith("vectors/term-");
const left = found.filter((path) => !wanted.has(path) && !byHand(path));

if (options.check === true) {
  for (const [path] of stale) console.error(`spec/${path} is not current`);
  for (const path of left) console.error(`spec/${path} is left over`);
  if (stale.length + left.length > 0) {
    console.error("Run `npm run spec` and commit what it changes.");
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(spec, path)), { recursive: true });
    writeFileSync(join(spec, path), text);
  }
  for (const path of left) rmSync(join(spec, path));
  console.log(`${stale.length} written, ${left.length} removed, ${wanted.size} in all`);
}
