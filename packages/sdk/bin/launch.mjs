// How a command of ours starts: on a Node that can run it, from the bundle when it is current, else from the sources.
// Plain JavaScript that an old Node can read too, and little of it: whatever is here is paid for at every start.
import module from "node:module";

// A module that imports these reads all that they export, and some of it is loaded only then: streams and promises of files.
const require = module.createRequire(import.meta.url);
const { existsSync, readFileSync, statSync } = require("node:fs");
const { constants, homedir } = require("node:os");
const { dirname, join } = require("node:path");
const { fileURLToPath } = require("node:url");

/** Run the command whose bin lies at `url`, a folder beside `dist` and `src`. */
export async function launch(url, name) {
  if (Number(process.versions.node.split(".")[0]) < 24) return runOnPinnedNode(url, name);
  // In the user's own folder: a cache of code in a shared one could be written by somebody else.
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  // Node tries for ever to make a folder below one that cannot have any, such as /proc.
  if (existsSync(cache) || existsSync(dirname(cache))) module.enableCompileCache(join(cache, "hap"));
  const dist = fileURLToPath(new URL("../dist/", url));
  const main = isCurrent(dist) ? require(`${dist}main.cjs`) : await import(new URL("../src/main.ts", url));
  await main.done;
}

/** True when the bundle exists and none of its sources is newer; a published package has no sources. */
function isCurrent(dist) {
  try {
    const built = statSync(`${dist}main.cjs`).mtimeMs;
    const options = { throwIfNoEntry: false };
    // Paths are only put together: to make hundreds of them normal takes longer than to look at the files.
    const newer = (source) => statSync(dist + source, options)?.mtimeMs > built;
    return !JSON.parse(readFileSync(`${dist}sources.json`, "utf8")).some(newer);
  } catch {
    return false;
  }
}

/** Start again on the Node that came with the installation. Signals are passed on; its exit code is ours. */
async function runOnPinnedNode(url, name) {
  const node = pinnedNode(url);
  if (node === null) {
    console.error(
      `${name}: Node 24 or newer is needed; this is ${process.version}. Install a current Node, or run \`npm install\`.`,
    );
    process.exitCode = 1;
    return;
  }
  const { spawn } = require("node:child_process");
  const child = spawn(node, [fileURLToPath(url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}

function pinnedNode(url) {
  try {
    const found = module.createRequire(url).resolve("node/package.json");
    const binary = join(dirname(found), "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
