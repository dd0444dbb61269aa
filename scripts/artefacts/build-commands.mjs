// The package with every command: the bundles, the page, the shipped tasks and the SDKs of `term`, in the layout of the checkout.
// What the bundles hold is no dependency; only packages that bring a binary of their own are installed beside it.
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { npmPack, readManifest, root, run, version } from "./stage.mjs";

/** Folders and files that are copied as they are. */
const parts = [
  "LICENSE",
  "README.md",
  "packages/sdk/bin/launch.mjs",
  "packages/web/dist",
  "packages/term/tasks",
  "packages/doors/hook/default-policy.json",
  "sdks/python/pyproject.toml",
  "sdks/python/README.md",
  "sdks/python/term_sdk",
  "sdks/rust/Cargo.toml",
  "sdks/rust/Cargo.lock",
  "sdks/rust/README.md",
  "sdks/rust/src",
];

/** Packages whose binary cannot be bundled, and which of ours names their version. */
const withBinary = { "@lydell/node-pty": "packages/term", "@vscode/ripgrep": "packages/yume" };

/** Stage the commands in `folder`: also what the single file and the image are made from. */
export function stageCommands(commands, folder, termSdk) {
  for (const part of parts) copy(part, folder);
  for (const bin of Object.values(commands.bin)) {
    const home = dirname(dirname(bin));
    for (const part of [bin, `${home}/dist`]) copy(part, folder);
    chmodSync(join(folder, bin), 0o755);
    // Nothing here is newer than its bundle: there are no sources.
    if (existsSync(join(folder, home, "dist/sources.json"))) writeFileSync(join(folder, home, "dist/sources.json"), "[]");
  }
  // Manual pages, from the command itself; npm shows them to `man` where it installs globally.
  run(process.execPath, [join(root, "packages/cli/bin/hap.mjs"), "man", "--output", join(folder, "man")]);
  // `hap doctor` compares the hook's version with its own.
  writeFileSync(join(folder, "packages/doors/hook/package.json"), `${JSON.stringify({ version })}\n`);
  // `term new agent --lang typescript` installs this folder.
  cpSync(termSdk, join(folder, "packages/term-sdk"), { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(commands), null, 2)}\n`);
}

/** Pack the staged commands; returns the tarball's path. */
export function packCommands(folder, out) {
  mkdirSync(out, { recursive: true });
  return npmPack(folder, out);
}

function copy(part, folder) {
  const from = join(root, part);
  if (!existsSync(from)) throw new Error(`${part} is missing. Run \`npm run prepare\`, then this again.`);
  mkdirSync(dirname(join(folder, part)), { recursive: true });
  cpSync(from, join(folder, part), {
    recursive: true,
    filter: (path) => !/(^|\/)(target|__pycache__|compile-cache|sources\.json\.new)(\/|$)/.test(path),
  });
}

function manifest({ name, description, bin }) {
  const dependencies = Object.entries(withBinary).map(([dependency, folder]) => [
    dependency,
    readManifest(join(root, folder)).dependencies[dependency],
  ]);
  return {
    name,
    version,
    description,
    license: "Apache-2.0",
    bin,
    man: "./man/hap.1",
    files: ["packages", "sdks", "man"],
    engines: { node: ">=24" },
    dependencies: Object.fromEntries(dependencies),
  };
}
