// Bundles the commands, so that starting one costs little more than Node itself, and builds the page. Each step below is worth
// milliseconds at every start: docs/performance.md ("What a start is made of") has the figures, and what was tried without gain.
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { build as buildPage } from "vite";
import { loadLater } from "./bundle/load-later.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** With --clean, parts of the last bundle go, too: for what is packed. */
const isClean = process.argv.includes("--clean");
const commands = ["packages/cli", "packages/doors/cueme", "packages/doors/hook", "packages/yume", "packages/term"];
/** A thread needs a file of its own: the server looks for it beside its bundle. */
const threads = ["packages/core/src/classifier/classify-worker.ts", "packages/core/src/store/postgres/bridge-worker.ts"];

const COMMON = { absWorkingDir: root, bundle: true, platform: "node", target: "node24", logLevel: "warning" };
/** Packages that bring a binary (it is found beside them), and a native driver that is used only on request. */
const external = ["@lydell/node-pty", "@vscode/ripgrep", "pg-native"];
/** esbuild splits only modules, so each part is made as a module and then turned into CommonJS, which Node starts faster. */
const MODULES = {
  ...COMMON,
  external,
  splitting: true,
  format: "esm",
  outExtension: { ".js": ".cjs" },
  write: false,
  metafile: true,
  legalComments: "linked",
};

for (const folder of commands) await bundleCommand(`${folder}/src/main.ts`, `${folder}/dist`);
for (const thread of threads)
  await build({
    ...COMMON,
    external,
    entryPoints: [thread],
    outfile: `packages/cli/dist/${basename(thread, ".ts")}.cjs`,
    format: "cjs",
  });
await buildPage({ configFile: join(root, "packages/web/vite.config.ts") });

async function bundleCommand(entry, outdir) {
  const options = { ...MODULES, entryPoints: [entry], outdir };
  const { metafile: parts } = await build(options);
  const { outputFiles, metafile } = await build({ ...options, plugins: [oneStart(entry, lazyEntries(parts, entry))] });
  const folder = join(root, outdir);
  await mkdir(folder, { recursive: true });
  // Written first: what is older than this belongs to no bundle but older ones.
  const last = isClean ? undefined : statSync(join(folder, "sources.json"), { throwIfNoEntry: false });
  const before = last?.mtimeMs ?? Number.POSITIVE_INFINITY;
  await writeWhole(join(folder, "sources.json"), JSON.stringify(sourcesOf(metafile, folder)));
  // The entry comes last: whoever starts meanwhile has the bundle before, or the sources.
  const isEntry = ({ path }) => path.endsWith("main.cjs");
  for (const { path, text } of outputFiles.toSorted((a, b) => isEntry(a) - isEntry(b)))
    await writeWhole(path, path.endsWith(".cjs") ? await toCommonJs(text, isEntry({ path })) : text);
  await removeOld(folder, new Set(["sources.json", ...outputFiles.map(({ path }) => basename(path))]), before);
}

/** The modules that are imported lazily: each begins a part. */
function lazyEntries({ outputs }, entry) {
  return Object.values(outputs).flatMap(({ entryPoint = entry }) => (entryPoint === entry ? [] : [entryPoint]));
}

/**
 * Put everything that the entry needs at once into one file instead of one file for each set of lazy parts that share some of it.
 * For that, each lazy part of ours imports the entry, which has run long before.
 */
function oneStart(entry, lazy) {
  return {
    name: "one-start",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!lazy.includes(relative(root, path).replaceAll("\\", "/"))) return null;
        return { contents: `${await readFile(path, "utf8")}\nimport ${JSON.stringify(join(root, entry))};\n`, loader: "ts" };
      });
    },
  };
}

function sourcesOf({ inputs }, folder) {
  return Object.keys(inputs)
    .filter((path) => !path.includes("node_modules") && existsSync(join(root, path)))
    .map((path) => relative(folder, join(root, path)).replaceAll("\\", "/"));
}

async function toCommonJs(text, isEntry) {
  // The entry does nothing but load the rest.
  const later = isEntry ? { text, define: {} } : loadLater(text);
  const { code } = await transform(later.text, {
    format: "cjs",
    platform: "node",
    target: "node24",
    // `import()` would start the loader of modules.
    supported: { "dynamic-import": false },
    define: { ...later.define, "import.meta.url": "__url" },
    banner: text.includes("import.meta.url") ? 'const __url = require("node:url").pathToFileURL(__filename).href;' : "",
    minifyWhitespace: true,
    minifySyntax: true,
    // `module.exports` of load-later.mjs is meant: this becomes CommonJS.
    logOverride: { "commonjs-variable-in-esm": "silent" },
    logLevel: "warning",
  });
  return code;
}

/** In one step, since another process may be reading it. */
async function writeWhole(path, text) {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** Names of parts change with what is in them. Those of the last bundle stay: a program that runs now may yet load some. */
async function removeOld(folder, current, before) {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!current.has(name) && statSync(path).mtimeMs < before) await rm(path, { recursive: true });
  }
}
