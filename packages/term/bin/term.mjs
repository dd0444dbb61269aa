#!/usr/bin/env node
// The `term` command: finds a Node that can run it, then the sources as they are. Plain JavaScript that an old Node reads too.
import { existsSync } from "node:fs";
import module from "node:module";
import { constants, homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

if (Number(process.versions.node.split(".")[0]) < 24) await runOnPinnedNode();
else {
  // In the user's own folder: a cache of code in a shared one could be written by somebody else.
  module.enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hap"));
  await import("../src/main.ts");
}

/** Start again on the Node that came with the installation. Signals are passed on; its exit code is ours. */
async function runOnPinnedNode() {
  const node = pinnedNode();
  if (node === null) {
    console.error(
      `term: Node 24 or newer is needed; this is ${process.version}. Install a current Node, or run \`npm install\`.`,
    );
    process.exitCode = 1;
    return;
  }
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}

function pinnedNode() {
  try {
    const found = module.createRequire(import.meta.url).resolve("node/package.json");
    const binary = join(dirname(found), "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
