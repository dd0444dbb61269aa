// `hap` as one file for Linux x64 that needs no Node: Node's single executable application, with the page as its assets.
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { build } from "esbuild";
import { inject } from "postject";
import { root, run } from "./stage.mjs";

/** Marks the place in Node's binary that the blob goes to; Node looks for exactly this. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Build `hap-linux-x64` and its compressed copy in `out`. */
export async function buildBinary(out, staging) {
  const folder = join(staging, "bin");
  mkdirSync(folder, { recursive: true });
  mkdirSync(out, { recursive: true });
  const main = join(folder, "hap.cjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["scripts/artefacts/binary-entry.ts"],
    outfile: main,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    minify: true,
    keepNames: true,
    legalComments: "none",
    // A module that was bundled into one file has no address of its own.
    define: { "import.meta.url": "__url" },
    banner: { js: 'const __url=require("node:url").pathToFileURL(process.execPath).href;' },
    logLevel: "warning",
  });
  const blob = join(folder, "hap.blob");
  const config = join(folder, "sea.json");
  writeFileSync(
    config,
    JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true, assets: pageAssets() }),
  );
  run(process.execPath, ["--experimental-sea-config", config]);
  const binary = join(out, "hap-linux-x64");
  copyFileSync(process.execPath, binary);
  chmodSync(binary, 0o755);
  run("strip", [binary]);
  await inject(binary, "NODE_SEA_BLOB", await readFile(blob), { sentinelFuse: FUSE });
  await pipeline(createReadStream(binary), createGzip({ level: 9 }), createWriteStream(`${binary}.gz`));
}

/** The built page: `page/index.html` and so on. */
function pageAssets() {
  const folder = join(root, "packages/web/dist");
  const files = readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [`page/${name}`, join(folder, name)]));
}
