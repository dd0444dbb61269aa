// What building the app needs from the system: installed where this may be done, else one line says how.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** The oldest Rust that builds it, as in Cargo.toml. */
const OLDEST_RUST = [1, 88] as const;

/** Debian's packages: what is looked for with pkg-config, and the package that has it. */
const LIBRARIES: readonly [library: string, debianPackage: string][] = [
  ["webkit2gtk-4.1", "libwebkit2gtk-4.1-dev"],
  ["ayatana-appindicator3-0.1", "libayatana-appindicator3-dev"],
  ["librsvg-2.0", "librsvg2-dev"],
];

/** A problem that is told in one line. */
export class Missing extends Error {
  override readonly name = "Missing";
}

const mayInstall = () => process.getuid?.() === 0 && runs("apt-get", ["--version"]);

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore", env: withRust() }).status === 0;
}

/** The environment with Rust's usual folder on the path, where installers put it. */
export function withRust(): NodeJS.ProcessEnv {
  const folder = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "bin");
  return existsSync(folder) ? { ...process.env, PATH: `${process.env.PATH}${delimiter}${folder}` } : process.env;
}

function install(...packages: string[]): void {
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(" ")}`;
  spawnSync("sh", ["-c", command], { stdio: ["ignore", 2, 2], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}

/** The version of the Rust that is here, or null. */
function rustVersion(): readonly [number, number] | null {
  const { stdout } = spawnSync("cargo", ["--version"], { encoding: "utf8", env: withRust() });
  const found = /^cargo (\d+)\.(\d+)/.exec(stdout ?? "");
  return found === null ? null : [Number(found[1]), Number(found[2])];
}

function isNewEnough(version: readonly [number, number] | null): boolean {
  if (version === null) return false;
  const [major, minor] = version;
  return major > OLDEST_RUST[0] || (major === OLDEST_RUST[0] && minor >= OLDEST_RUST[1]);
}

/** Make sure that there is a Rust new enough; where the system packages one, root gets it installed. */
export function needRust(): void {
  if (isNewEnough(rustVersion())) return;
  if (mayInstall()) {
    install("rustup");
    if (runs("rustup", ["--version"])) spawnSync("rustup", ["default", "stable"], { stdio: ["ignore", 2, 2] });
    else install("cargo", "rust-clippy");
    if (isNewEnough(rustVersion())) return;
  }
  throw new Missing(
    `The desktop app needs Rust ${OLDEST_RUST.join(".")} or newer: install it from https://rustup.rs and run this again.`,
  );
}

/** Make sure that the libraries of the window are there. Other systems than Linux bring theirs along. */
export function needLibraries(): void {
  if (process.platform !== "linux") return;
  const missing = () => LIBRARIES.filter(([library]) => !runs("pkg-config", ["--exists", library])).map(([, name]) => name);
  const wanted = missing();
  if (wanted.length === 0) return;
  const packages = ["build-essential", "pkg-config", ...wanted];
  if (mayInstall()) install(...packages);
  if (missing().length > 0)
    throw new Missing(
      `The desktop app needs ${wanted.join(", ")}. Install them with: sudo apt-get install -y ${packages.join(" ")}`,
    );
}

/** Make sure that a program is there. */
export function needProgram(program: string, debianPackage: string): void {
  need(program, `command -v ${program}`, debianPackage);
}

/** Make sure that a shell command succeeds, which shows that something is there. */
export function need(what: string, check: string, debianPackage: string): void {
  const has = () => spawnSync("sh", ["-c", check], { stdio: "ignore" }).status === 0;
  if (!has() && mayInstall()) install(debianPackage);
  if (!has()) throw new Missing(`This needs ${what}. Install it with: sudo apt-get install -y ${debianPackage}`);
}
