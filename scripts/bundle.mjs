// Bundles what starts often into one plain file each, so that starting costs little more than Node itself.
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { build as buildPage } from "vite";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Each bundle: its entry, and where it lies. */
const bundles = [
  { entry: "packages/cli/src/main.ts", outdir: "packages/cli/dist" },
  { entry: "packages/doors/cueme/src/main.ts", outdir: "packages/doors/cueme/dist" },
  { entry: "packages/yume/src/main.ts", outdir: "packages/yume/dist" },
  { entry: "packages/term/src/main.ts", outdir: "packages/term/dist" },
];

/** Parts of Node that take a millisecond or more to load, and that many a run does not need. */
const SLOW = "(?:child_process|crypto|dns|fs/promises|https?|http2|net|readline|stream|tls|zlib)";

/** What is imported lazily is required lazily: `import()` would start the loader of modules for it. */
const COMMONJS = { "dynamic-import": false };

/**
 * The MCP server never validates by JSON Schema (zod does), but its package loads a validator of 300 kB at every start:
 * in a bundle a stand-in takes its place, which says so should it ever be called.
 */
const withoutValidator = {
  name: "without-validator",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({ path: "shims", namespace: "without-validator" }));
    onLoad({ filter: /.*/, namespace: "without-validator" }, () => ({
      contents: `export { default as process } from "node:process";
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("This bundle holds no JSON Schema validator.");
  }
}`,
      loader: "js",
    }));
  },
};

/** How our modules are put together. Only modules can be split, so that what is imported lazily is a part of its own. */
const MODULES = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node24",
  format: "esm",
  outExtension: { ".js": ".cjs" },
  write: false,
  metafile: true,
  legalComments: "linked",
  // Packages that bring a binary: it is found beside them.
  external: ["@lydell/node-pty", "@vscode/ripgrep", "pg-native"],
  logLevel: "warning",
};

for (const { entry, outdir } of bundles) {
  if (!existsSync(join(root, entry))) continue;
  await bundleModules([entry], outdir, [withoutValidator, await oneStart(entry, outdir)]);
}
// A thread needs a file of its own: the server looks for it beside the bundle.
const THREADS = ["packages/core/src/classifier/classify-worker.ts", "packages/core/src/store/postgres/bridge-worker.ts"];
for (const thread of THREADS)
  await build({
    absWorkingDir: root,
    entryPoints: [thread],
    outfile: `packages/cli/dist/${basename(thread, ".ts")}.cjs`,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    // The driver asks for a native one only if it is told to.
    external: ["pg-native"],
    logLevel: "warning",
  });
await bundleHook("packages/doors/hook/src/main.ts", "packages/doors/hook/dist");
await buildPage({ configFile: join(root, "packages/web/vite.config.ts") });

/** Writes each part as CommonJS: Node starts that faster, since it reads no export of what is imported, and resolves no URL. */
async function bundleModules(entryPoints, outdir, plugins) {
  const { outputFiles, metafile } = await build({ ...MODULES, entryPoints, outdir, plugins });
  const folder = join(root, outdir);
  const sources = Object.keys(metafile.inputs).filter((path) => !path.includes("node_modules") && existsSync(join(root, path)));
  await mkdir(folder, { recursive: true });
  // Written first: what is older than this belongs to no bundle but older ones.
  const before = statSync(join(folder, "sources.json"), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  await writeWhole(
    join(folder, "sources.json"),
    JSON.stringify(sources.map((path) => relative(folder, join(root, path)).replaceAll("\\", "/"))),
  );
  // The entry comes last: whoever starts meanwhile has the bundle before, or the sources.
  const isEntry = ({ path }) => path.endsWith("main.cjs");
  for (const { path, text } of outputFiles.toSorted((a, b) => isEntry(a) - isEntry(b)))
    await writeWhole(path, path.endsWith(".cjs") ? await toCommonJs(text, isEntry({ path })) : text);
  await removeOld(folder, new Set(["sources.json", ...outputFiles.map(({ path }) => basename(path))]), before);
}

/** In one step, since somebody may be reading it. */
async function writeWhole(path, text) {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** Names of parts change with what is in them. Those of the last bundle stay: what runs now may yet load some. */
async function removeOld(folder, current, before) {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!current.has(name) && statSync(path).mtimeMs < before) await rm(path, { recursive: true });
  }
}

/**
 * What the entry needs at once lies in one file, not in one for each set of lazy parts that share some of it: every file costs
 * a fifth of a millisecond. It is enough that each lazy part of ours says that it needs the entry, which has run long before.
 */
async function oneStart(entry, outdir) {
  const { metafile } = await build({ ...MODULES, entryPoints: [entry], outdir, plugins: [withoutValidator] });
  const lazy = Object.values(metafile.outputs).flatMap(({ entryPoint = entry }) => (entryPoint === entry ? [] : [entryPoint]));
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

/** What is not read need not be read past: without its white space a part is a third shorter. Names stay, for stack traces. */
async function toCommonJs(text, isEntry) {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node24",
    supported: COMMONJS,
    define: { "import.meta.url": "__url" },
    banner: text.includes("import.meta.url") ? 'const __url = require("node:url").pathToFileURL(__filename).href;' : "",
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
  });
  // The entry does nothing but load the rest.
  return isEntry ? code : loadLater(code);
}

/** Has those, and other parts of ours, loaded at their first use: a name that is bound to one becomes an object that gives it. */
function loadLater(code) {
  const bindings = new RegExp(
    `\\b(import_\\w+)=(require\\("(?:node:${SLOW}|\\./[\\w-]+\\.cjs)"\\)|__toESM\\(require\\("node:${SLOW}"\\)\\))`,
    "g",
  );
  return [...code.matchAll(bindings)].reduce(
    (text, [binding, name, load]) =>
      text
        .replaceAll(new RegExp(`(?<![\\w$])${name}(?![\\w$=])`, "g"), `${name}.loaded`)
        .replace(binding, `${name}={get loaded(){return Object.defineProperty(this,"loaded",{value:${load}}).loaded}}`),
    code,
  );
}

/**
 * The hook runs at every call of a tool. What it needs for a harmless one is one file; what it imports lazily lies beside it.
 */
async function bundleHook(entry, outdir) {
  const parts = new Map();
  const lazily = {
    name: "lazily",
    setup(plugin) {
      plugin.onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === lazily) return null;
        const found = await plugin.resolve(path, { kind, resolveDir, pluginData: lazily });
        const name = path.replaceAll(/[^a-z]+/g, "-").replaceAll(/^-|-$/g, "");
        parts.set(name, found.path);
        return { path: `./parts/${name}.cjs`, external: true };
      });
    },
  };
  await build({
    absWorkingDir: root,
    entryPoints: { main: entry },
    outdir,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    supported: COMMONJS,
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
    plugins: [lazily],
  });
  await bundleModules(Object.fromEntries(parts), join(outdir, "parts"), [withoutValidator]);
}
