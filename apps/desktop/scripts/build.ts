// Builds the app: the program alone, as it runs from the checkout, or packages for this system.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Missing, needLibraries, needProgram, needRust, withRust } from "./needs.ts";
import { stage } from "./stage.ts";

export const appFolder = join(import.meta.dirname, "..");

/** Where Cargo puts what it builds. */
export function targetFolder(): string {
  return resolve(process.env.CARGO_TARGET_DIR ?? join(appFolder, "target"));
}

/** The packages that this system can make of itself. AppImages need tools from the network, so they are asked for by name. */
const HERE: Partial<Record<NodeJS.Platform, string>> = { linux: "deb,rpm", darwin: "dmg", win32: "msi" };

/** Build the program; `features` are Cargo's. Returns its path. */
export async function buildProgram(features: readonly string[] = []): Promise<string> {
  needRust();
  needLibraries();
  await stage();
  const args = [
    "build",
    "--release",
    "--locked",
    "--package",
    "hap-desktop",
    ...features.flatMap((name) => ["--features", name]),
  ];
  const { status } = spawnSync("cargo", args, { cwd: appFolder, stdio: ["ignore", 2, 2], env: withRust() });
  if (status !== 0) throw new Missing("The app could not be built; what Cargo says above says why.");
  return join(targetFolder(), "release", process.platform === "win32" ? "hap-desktop.exe" : "hap-desktop");
}

/** Build packages; `wanted` is a list such as `deb,appimage`. Returns their paths. */
export async function buildPackages(wanted = HERE[process.platform] ?? ""): Promise<string[]> {
  needRust();
  needLibraries();
  if (wanted.includes("rpm")) needProgram("rpm", "rpm");
  // The packager is a development dependency, which `npm run desktop` alone does not need.
  spawnSync(process.execPath, [join(appFolder, "../../scripts/setup.mjs")], { stdio: ["ignore", 2, 2] });
  await stage();
  const started = Date.now();
  const command = ["tauri", "build", "--bundles", wanted, "--", "--locked"];
  const { status } = spawnSync("npx", ["--no", ...command], { cwd: appFolder, stdio: ["ignore", 2, 2], env: withRust() });
  if (status !== 0) throw new Missing("The packages could not be built; the words above say why.");
  const folder = join(targetFolder(), "release/bundle");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(deb|rpm|AppImage|dmg|msi)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).mtimeMs >= started);
}
