// The entry of the single file: the `hap` command, and under the names of the other commands (by a link to it) those.
import { basename } from "node:path";

const command = basename(process.argv0);
// The name as it was typed stands here in a single file; everywhere else, the path of the program.
process.argv[1] = process.execPath;
async function start(): Promise<void> {
  if (command === "cueme") await import("../../packages/doors/cueme/src/main.ts");
  else if (command === "yume-cli") await import("../../packages/yume/src/main.ts");
  else if (command === "hap-hook") await import("../../packages/doors/hook/src/main.ts");
  else if (command === "term") refuseTerm();
  else await import("../../packages/cli/src/main.ts");
}

/** A terminal needs a native addon, which cannot load from inside one file. */
function refuseTerm(): void {
  process.stderr.write("term: The single file has no terminal. Install the npm package of HAP, which brings one.\n");
  process.exitCode = 1;
}

void start();
