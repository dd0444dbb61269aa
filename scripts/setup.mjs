// Installs what the two commands need: runs on any Node 20+, before node_modules exists.
// `npm start` and `npm test` call it first; it does nothing when the lock file is already installed. With --to-run it leaves out
// what only tests and checks need: other people's agents among it, which are ten times as large as all the rest.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const toRun = process.argv.includes("--to-run");
const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(
    `HAP needs Node 20 or newer to set itself up; this is ${process.version}. Install a current Node, then run the command again.`,
  );
  process.exit(1);
}

/** What npm wrote into node_modules matches the lock file of this checkout. */
function installed() {
  const marker = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(marker)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(marker, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === "" ||
      entry.link ||
      entry.optional ||
      entry.devOptional ||
      (toRun && entry.dev) ||
      present[path]?.version === entry.version,
  );
}

if (!installed()) {
  console.error("Setting up: npm ci (once per checkout)");
  const ran = spawnSync("npm", ["ci", ...(toRun ? ["--omit=dev"] : []), "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (ran.status !== 0) {
    console.error("The set-up failed: run `npm ci` in this folder to see why, then try again.");
    process.exit(ran.status ?? 1);
  }
}

// npm builds the page and the commands after an installation, unless it was told to run no scripts.
if (!existsSync(join(root, "packages", "web", "dist", "index.html"))) {
  const built = spawnSync(process.execPath, [join(root, "scripts", "bundle.mjs")], { cwd: root, stdio: ["ignore", 2, 2] });
  if (built.status !== 0) {
    console.error("Building the page failed: run `npm run prepare` in this folder to see why, then try again.");
    process.exit(built.status ?? 1);
  }
}
