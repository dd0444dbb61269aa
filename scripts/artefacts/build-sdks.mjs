// The SDKs for agents of `term` in other languages: a wheel for Python, a crate for Rust.
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./stage.mjs";

/** Build the wheel with pip, which fetches the build backend that pyproject.toml names. */
export function buildWheel(out) {
  mkdirSync(out, { recursive: true });
  run("python3", ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, join(root, "sdks/python")]);
}

/** Package the crate; cargo compiles what it packed before it counts as packaged. */
export function buildCrate(out, staging) {
  mkdirSync(out, { recursive: true });
  const target = join(staging, "cargo");
  run("cargo", [
    "package",
    "--quiet",
    "--allow-dirty",
    "--manifest-path",
    join(root, "sdks/rust/Cargo.toml"),
    "--target-dir",
    target,
  ]);
  const folder = join(target, "package");
  for (const name of readdirSync(folder)) if (name.endsWith(".crate")) cpSync(join(folder, name), join(out, name));
}
