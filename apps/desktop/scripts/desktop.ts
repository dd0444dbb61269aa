// `npm run desktop`: builds the app after installing what is missing, and starts it. With --build it writes packages instead;
// --build=deb,appimage names them. Other words go to the app: a link such as hap://ticket/ID, or --hidden.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { buildPackages, buildProgram } from "./build.ts";
import { Missing } from "./needs.ts";

const words = process.argv.slice(2);
const build = words.find((word) => word === "--build" || word.startsWith("--build="));

async function run(): Promise<number> {
  if (build !== undefined) {
    for (const path of await buildPackages(build.split("=")[1]))
      console.log(`${path} (${(statSync(path).size / 1_000_000).toFixed(1)} MB)`);
    return 0;
  }
  const program = await buildProgram();
  return spawnSync(program, words, { stdio: "inherit" }).status ?? 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
