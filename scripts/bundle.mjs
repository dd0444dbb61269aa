// Bundles what starts often into one plain file each, so that starting costs little more than Node itself.
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Each bundle: its entry, and where it lies. */
const bundles = [
  { entry: "packages/cli/src/main.ts", outdir: "packages/cli/dist" },
  { entry: "packages/doors/cueme/src/main.ts", outdir: "packages/doors/cueme/dist" },
];

for (const { entry, outdir } of bundles) {
  if (!existsSync(join(root, entry))) continue;
  // Names of parts change with what is in them: without this, those of every bundle before would stay.
  await rm(join(root, outdir), { recursive: true, force: true });
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node24",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    minify: false,
    metafile: true,
    legalComments: "linked",
    logLevel: "warning",
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  const sources = Object.keys(result.metafile.inputs).filter((path) => !path.includes("node_modules"));
  await writeFile(
    join(root, outdir, "sources.json"),
    JSON.stringify(sources.map((path) => relative(join(root, outdir), join(root, path)))),
  );
}
