// Compiles each published library into a folder that `npm pack` turns into a tarball: JavaScript, types, source maps, a manifest.
//
// The code is ESM once; the CommonJS entries load that same ESM (Node 22.12 and newer can), so that one process holds one engine
// and one HapError class however it imports them. Types exist for both, as TypeScript resolves each by its own rules.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";
import { npmPack, readManifest, root, version } from "./stage.mjs";

/** Compile and pack one library; returns the path of its tarball. */
export async function buildLibrary(library, all, { staging, out }) {
  const source = join(root, library.folder);
  const manifest = readManifest(source);
  const folder = join(staging, library.name.replace("/", "+"));
  const entries = entriesOf(library, manifest);
  const published = new Map(all.map(({ name, inside = name }) => [inside, name]));
  await build({
    cwd: source,
    entry: Object.fromEntries(entries.map(({ name, file }) => [name, file])),
    outDir: join(folder, "dist"),
    format: "esm",
    platform: library.name === "@hap/protocol" ? "neutral" : "node",
    target: "node22",
    fixedExtension: true,
    dts: { eager: true },
    sourcemap: true,
    clean: true,
    // Dependencies stay imports, those of dependencies in types as well; packages of ours that are not published go in.
    deps: { neverBundle: [/^zod(\/|$)/], alwaysBundle: (library.inline ?? []).map((name) => new RegExp(`^${name}(/|$)`)) },
    plugins: [renamed(published)],
    tsconfig: ownTsconfig(staging, source),
    config: false,
    logLevel: "warn",
    report: false,
    checks: { pluginTimings: false },
  });
  for (const { path, name } of entries) if (path !== null) writeCommonJs(join(folder, "dist"), name);
  writeCommonJsTypes(join(folder, "dist"));
  const { dependencies, inlined } = dependenciesOf(library, manifest, published);
  const bin = Object.fromEntries(Object.entries(library.bin ?? {}).map(([name, entry]) => [name, `./dist/${entry}.mjs`]));
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify(
      {
        name: library.name,
        version,
        description: library.description,
        license: "Apache-2.0",
        type: "module",
        ...(Object.keys(bin).length > 0 ? { bin } : {}),
        exports: exportsOf(entries),
        files: ["dist"],
        engines: { node: manifest.engines?.node === ">=20" ? ">=22.12" : ">=22.13" },
        sideEffects: false,
        dependencies,
      },
      null,
      2,
    )}\n`,
  );
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "README.md"), readme(library, inlined));
  mkdirSync(out, { recursive: true });
  return npmPack(folder, out);
}

/** The checkout's settings for this package alone: types are then made without reading all others. */
function ownTsconfig(staging, source) {
  const path = join(staging, `tsconfig.${source.replaceAll(/\W+/g, "-")}.json`);
  writeFileSync(
    path,
    JSON.stringify({ extends: join(root, "tsconfig.json"), include: [join(source, "src")], exclude: ["**/*.test.ts"] }),
  );
  return path;
}

/** Imports of a package that is published under another name than it has here. */
function renamed(published) {
  return {
    name: "renamed",
    resolveId: {
      order: "pre",
      handler(id) {
        const [scope, name, ...path] = id.split("/");
        const inside = `${scope}/${name}`;
        const outside = published.get(inside);
        return outside === undefined || outside === inside ? null : { id: [outside, ...path].join("/"), external: true };
      },
    },
  };
}

/** What a package exports: each subpath with the source file behind it. */
function entriesOf(library, manifest) {
  const exported = Object.entries(manifest.exports ?? {})
    .filter(([, file]) => file.endsWith(".ts"))
    .map(([path, file]) => ({ path, name: path === "." ? "index" : path.slice(2), file }));
  const bins = Object.values(library.bin ?? {}).map((name) => ({ path: null, name, file: `./src/${name}.ts` }));
  return [...exported, ...bins.filter(({ name }) => !exported.some((entry) => entry.name === name))];
}

function exportsOf(entries) {
  const file = (name, types, code) => ({ types: `./dist/${name}.${types}`, default: `./dist/${name}.${code}` });
  const subpaths = entries
    .filter(({ path }) => path !== null)
    .map(({ path, name }) => [path, { import: file(name, "d.mts", "mjs"), require: file(name, "d.cts", "cjs") }]);
  return { ...Object.fromEntries(subpaths), "./package.json": "./package.json" };
}

function writeCommonJs(dist, name) {
  writeFileSync(join(dist, `${name}.cjs`), `"use strict";\nmodule.exports = require("./${name.split("/").at(-1)}.mjs");\n`);
}

/** Types for `require`: the same declarations, importing each other by the endings of CommonJS. */
function writeCommonJsTypes(dist) {
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!name.endsWith(".d.mts")) continue;
    const text = readFileSync(join(dist, name), "utf8");
    const cts = text
      .replaceAll(/((?:from|import\()\s*")(\.[^"]*)\.mjs"/g, '$1$2.cjs"')
      .replace(/^\/\/# sourceMappingURL=.*$/m, "");
    writeFileSync(join(dist, name.replace(/\.d\.mts$/, ".d.cts")), cts);
  }
}

/** Dependencies as published: ours at this version, those of inlined packages among them. */
function dependenciesOf(library, manifest, published) {
  const inlined = new Set(library.inline ?? []);
  const all = { ...manifest.dependencies };
  for (const name of inlined) {
    delete all[name];
    Object.assign(all, readManifest(join(root, folderOf(name))).dependencies);
  }
  const entries = Object.entries(all)
    .filter(([name]) => !inlined.has(name))
    .map(([name, range]) => {
      if (!name.startsWith("@hap/")) return [name, `^${range}`];
      const outside = published.get(name);
      if (outside === undefined) throw new Error(`${library.name} needs ${name}, which is neither published nor inlined`);
      return [outside, version];
    });
  return { dependencies: Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b))), inlined };
}

function folderOf(name) {
  return name.startsWith("@hap/door-")
    ? `packages/doors/${name.slice("@hap/door-".length)}`
    : `packages/${name.slice("@hap/".length)}`;
}

function readme({ name, description, bin }) {
  const use = bin === undefined ? `    npm install ${name}\n` : `    npx ${Object.keys(bin)[0]}\n`;
  return `# ${name}\n\n${description}.\n\n${use}\nPart of HAP, the inbox where people decide for their agents. Apache-2.0.\n`;
}
