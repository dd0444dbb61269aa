// The package is paper only: it bundles for a browser and works in a realm that has no Node in it.
import { builtinModules } from "node:module";
import { join } from "node:path";
import vm from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { exampleTicket } from "./example-ticket.ts";
import { sha256 } from "./sha256.ts";

const bundle = await build({
  entryPoints: [join(import.meta.dirname, "../src/index.ts")],
  bundle: true,
  write: false,
  platform: "browser",
  format: "iife",
  globalName: "hap",
  target: "es2024",
  metafile: true,
  logLevel: "silent",
});

test("[REPO-PURE-1] nothing of Node is imported, and no clock, chance, network or console is touched", () => {
  const imports = Object.values(bundle.metafile.inputs).flatMap((input) => input.imports.map((found) => found.path));
  expect(imports.filter((path) => path.startsWith("node:") || builtinModules.includes(path))).toEqual([]);
  const own = Object.keys(bundle.metafile.inputs).filter((path) => !path.includes("node_modules"));
  expect(own.length).toBeGreaterThan(20);
});

test("[REPO-PURE-1] the bundle works where there is neither process nor require", () => {
  const forbidden = () => {
    throw new Error("impure");
  };
  const context = vm.createContext({
    atob,
    btoa,
    TextEncoder,
    exampleTicket,
    sha256,
    console: { log: forbidden },
    fetch: forbidden,
  });
  vm.runInContext("Date.now = Math.random = () => { throw new Error('impure'); };", context);
  vm.runInContext(bundle.outputFiles[0]?.text as string, context);
  const result = vm.runInContext(
    `({
      globals: [typeof process, typeof require, typeof Buffer],
      canonical: hap.canonicalJson({ b: 1e-5, a: "é" }),
      blocks: hap.present(exampleTicket).blocks.length,
      cursor: hap.decodeCursor(hap.encodeCursor({ space: "default", seq: 7, mark: "0123456789abcdef" })).seq,
      request: hap.parseCreateTicket({ summary: "x", diff: "--- a/x\\n+++ b/x\\n" }).summary,
      answer: hap.parseAnswer(hap.askSchema().parse({ type: "confirm" }), "yes").confirmed,
      risk: hap.computeRisk({ kind: "deploy", linesChanged: 0, environment: "prod", confidence: 0.6 }).risk,
      ref: hap.refOf("text", new Uint8Array(16), "x", sha256).length,
      id: hap.makeId("tk_", new Uint8Array(17)).length,
      refused: (() => { try { hap.parseCreateTicket({ risk: 9 }); } catch (error) { return error.code; } })(),
    })`,
    context,
  );
  expect({ ...result, globals: [...result.globals] }).toEqual({
    globals: ["undefined", "undefined", "undefined"],
    canonical: '{"a":"\\u00e9","b":1e-05}',
    blocks: 15,
    cursor: 7,
    request: "x",
    answer: true,
    risk: 0.86,
    ref: 76,
    id: 29,
    refused: "invalid_input",
  });
});
