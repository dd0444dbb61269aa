// Installs what the whole test suite needs of the system in one step, where this may be done. Each test still checks for itself, so
// that a single file can be run, and says what to install where nothing may be installed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Programs and the Debian packages that bring them. */
const PROGRAMS = {
  bwrap: "bubblewrap",
  chromium: "chromium",
  curl: "curl",
  "dbus-run-session": "dbus-daemon",
  "gnome-keyring-daemon": "gnome-keyring",
  openssl: "openssl",
  promtool: "prometheus",
  "secret-tool": "libsecret-tools",
  "ssh-keygen": "openssh-client",
  strace: "strace",
  tmux: "tmux",
};

const has = (program) => spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;

/** Install the packages that are missing. Does nothing without root or apt: then each test says what it needs. */
export function installSystemPackages() {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !has("apt-get")) return;
  const missing = Object.entries(PROGRAMS).flatMap(([program, name]) => (has(program) ? [] : [name]));
  // Its programs are not on the PATH.
  if (!existsSync("/usr/lib/postgresql") && !has("initdb")) missing.push("postgresql");
  if (missing.length === 0) return;
  console.log(`Installing ${missing.join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = `apt-get update -q && apt-get install -y -q --no-install-recommends ${missing.join(" ")}`;
  const { status } = spawnSync("sh", ["-c", install], { stdio: ["ignore", "ignore", "inherit"], env });
  if (status !== 0) console.log("Not all of them could be installed; the tests that need one say so.");
}
