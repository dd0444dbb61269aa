// Files that programs write: shown folded, to be opened or ticked off by the person.

const names = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "cargo.lock",
  "gemfile.lock",
  "composer.lock",
  "poetry.lock",
  "uv.lock",
  "go.sum",
  "flake.lock",
]);
const endings = [".min.js", ".min.css", ".map", ".snap", ".pb.go", "_pb2.py", ".generated.ts", ".g.dart", ".lock"];
const folders = ["node_modules/", "vendor/", "dist/", "__generated__/", "generated/"];

/** True for a file that is known by its name to be generated. */
export function isGenerated(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.split("/").at(-1) ?? "";
  return (
    names.has(name) ||
    endings.some((ending) => name.endsWith(ending)) ||
    folders.some((folder) => lower.startsWith(folder) || lower.includes(`/${folder}`))
  );
}
