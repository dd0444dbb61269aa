// A fixture program as one plain file, so that hundreds of processes can be started in a test.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The pinned Node, whatever runs the tests. */
export const nodePath = process.execPath;
/** The repository's root. */
export const repoRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Bundle `test/fixtures/NAME.ts` into a folder; returns the path of the program. */
export async function bundleFixture(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(repoRoot, "test", "fixtures", `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    absWorkingDir: repoRoot,
    logLevel: "warning",
  });
  return outfile;
}
