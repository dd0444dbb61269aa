// Bundles what starts often into one plain file each, so that starting costs little more than Node itself.
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { build as buildPage } from "vite";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Each bundle: its entry, and where it lies. */
const bundles = [
  { entry: "packages/cli/src/main.ts", outdir: "packages/cli/dist" },
  { entry: "packages/doors/cueme/src/main.ts", outdir: "packages/doors/cueme/dist" },
  { entry: "packages/yume/src/main.ts", outdir: "packages/yume/dist" },
];

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

for (const { entry, outdir } of bundles) {
  if (!existsSync(join(root, entry))) continue;
  // Names of parts change with what is in them: without this, those of every bundle before would stay.
  await rm(join(root, outdir), { recursive: true, force: true });
  await bundleModules([entry], outdir);
}
await bundleHook("packages/doors/hook/src/main.ts", "packages/doors/hook/dist");
await buildPage({ configFile: join(root, "packages/web/vite.config.ts") });

/** Modules with what they share split off; what is imported lazily is loaded lazily. */
async function bundleModules(entryPoints, outdir) {
  const result = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node24",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    minify: false,
    metafile: true,
    plugins: [withoutValidator],
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

/**
 * The hook runs at every call of a tool. What it needs for a harmless one is one CommonJS file: Node starts that faster than a
 * module, which reads every export of the modules that it imports. What it imports lazily are modules beside it.
 */
async function bundleHook(entry, outdir) {
  await rm(join(root, outdir), { recursive: true, force: true });
  const parts = new Map();
  const lazily = {
    name: "lazily",
    setup(plugin) {
      plugin.onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === lazily) return null;
        const found = await plugin.resolve(path, { kind, resolveDir, pluginData: lazily });
        const name = path.replaceAll(/[^a-z]+/g, "-").replaceAll(/^-|-$/g, "");
        parts.set(name, found.path);
        return { path: `./parts/${name}.mjs`, external: true };
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
    legalComments: "none",
    logLevel: "warning",
    plugins: [lazily],
  });
  await bundleModules(Object.fromEntries(parts), join(outdir, "parts"));
}
