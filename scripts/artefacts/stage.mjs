// Shared by the builders: where the checkout is, its version, and how a folder becomes a tarball.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The one version: of the root manifest. Every package and artefact has it. */
export const { version } = readManifest(root);

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Run a program and return what it printed; its failure is an error with what it said. */
export function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (status !== 0)
    throw error ?? new Error(`${program} ${args.join(" ")} exited with ${status}:\n${stderr ?? ""}${stdout ?? ""}`);
  return stdout;
}

/** Pack a staged folder into `out`; returns the tarball's path. */
export function npmPack(folder, out) {
  const [{ filename }] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", out], { cwd: folder }),
  );
  return join(out, filename);
}
