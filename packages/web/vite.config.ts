// How the page is built: plain files that a strict content security policy lets through, nothing inlined.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const TEXTS = [".html", ".js", ".css", ".svg", ".webmanifest"];
/** Below this, a compressed form saves less than its headers cost. */
const LEAST_BYTES = 512;

/** Leaves a brotli and a gzip form beside every text of the page, for the server to choose from. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    writeBundle: ({ dir = "" }) => {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !TEXTS.includes(extname(entry.name))) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = readFileSync(path);
        if (bytes.length < LEAST_BYTES) continue;
        const options = {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, options));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  plugins: [precompress()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // A file in a data: address would be refused by the policy, or hide from it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    // What the list needs is one file: a dozen small ones compress worse, and each has headers of its own.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }] } } },
  },
  logLevel: "warn",
});
