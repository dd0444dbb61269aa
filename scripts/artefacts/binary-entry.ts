// The entry of the single file: the `hap` command, and under the names of the other commands (by a link to it) those.
import { basename } from "node:path";

const command = basename(process.argv0);
async function start(): Promise<void> {
  if (command === "cueme") await import("../../packages/doors/cueme/src/main.ts");
  else if (command === "yume-cli") await import("../../packages/yume/src/main.ts");
  else if (command === "hap-hook") await import("../../packages/doors/hook/src/main.ts");
  else await import("../../packages/cli/src/main.ts");
}

void start();
