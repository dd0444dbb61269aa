// Carrying out the plan: as root, step by step; a step that fails stops it and says which.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { HapError } from "@hap/protocol";
import { findInstalled } from "@hap/sdk/installed";
import type { Sources, Step } from "./plan.ts";

/** The program's own file. npx and npm start it through a link. */
export function mainFile(): string {
  return realpathSync(process.argv[1] ?? "");
}

/** The program as it is here. Only the bundled command can be copied: it is one folder that needs nothing else. */
export function findSources(page: string | undefined): Sources {
  const beside = dirname(mainFile());
  const command = [beside, join(beside, "../dist")].find((folder) => existsSync(join(folder, "main.cjs")));
  if (command === undefined || !isCurrent(command))
    throw unbuilt("The bundled command is missing, or older than its sources. Run `npm run prepare` in the checkout");
  if (page === undefined || !existsSync(page)) throw unbuilt("The page is not built. Run `npm install` in the checkout");
  return { node: process.execPath, command, page };
}

function unbuilt(why: string): HapError {
  return new HapError("store_unusable", `${why}, then this again.`);
}

/** True unless a source lies here that is newer than the bundle: that bundle is not the program that runs now. */
function isCurrent(command: string): boolean {
  const list = join(command, "sources.json");
  if (!existsSync(list)) return true;
  const built = statSync(join(command, "main.cjs")).mtimeMs;
  const sources = JSON.parse(readFileSync(list, "utf8")) as string[];
  return sources.every((source) => (statSync(join(command, source), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= built);
}

/** True when the system knows this user. */
export function userExists(user: string): boolean {
  return spawnSync("id", ["-u", user], { stdio: "ignore" }).status === 0;
}

/** Do everything, or say at which step it stopped. */
export function carryOut(steps: readonly Step[], told: (words: string) => void): void {
  for (const step of steps) {
    try {
      doStep(step);
    } catch (error) {
      throw new HapError(
        "store_unusable",
        `Could not ${step.words}: ${error instanceof Error ? error.message : String(error)}. What was done before stays; run it again when that is mended.`,
      );
    }
    told(step.words);
  }
}

function doStep(step: Step): void {
  if ("run" in step) {
    const [program = "", ...argv] = step.run;
    const { status, stderr, error } = spawnSync(program, argv, { encoding: "utf8" });
    if (status !== 0) throw error ?? new Error(stderr.trim());
  } else if ("folder" in step) {
    // Folders on the way there are everybody's; only this one is not.
    mkdirSync(step.folder, { recursive: true });
    const { uid, gid } = idsOf(step.owner);
    chownSync(step.folder, uid, gid);
    chmodSync(step.folder, step.mode);
  } else if ("copy" in step) {
    rmSync(step.to, { recursive: true, force: true });
    cpSync(step.copy, step.to, { recursive: true, dereference: true });
    spawnSync("chown", ["-R", "0:0", step.to]);
    spawnSync("chmod", ["-R", "u=rwX,go=rX", step.to]);
  } else {
    mkdirSync(dirname(step.file), { recursive: true });
    writeFileSync(step.file, step.text, { mode: step.mode });
    chmodSync(step.file, step.mode);
  }
}

function idsOf(user: string): { uid: number; gid: number } {
  const read = (flag: string) => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout.trim());
  return { uid: read("-u"), gid: read("-g") };
}

/** Start the service where systemd runs this machine; false where it does not. */
export function startService(): boolean {
  if (!existsSync("/run/systemd/system")) return false;
  // Restarted, since it may run already with the program of before.
  for (const argv of [["daemon-reload"], ["enable", "hap.service"], ["restart", "hap.service"]]) {
    const { status, stderr } = spawnSync("systemctl", argv, { encoding: "utf8" });
    if (status !== 0) throw new HapError("store_unusable", `systemctl ${argv.join(" ")} failed: ${stderr.trim()}`);
  }
  return true;
}

/** The folder of the documentation site where `npm run docs` has built it beside this program. */
export function docsFolder(): string | undefined {
  const start = findInstalled(import.meta.url, "dist/hap-docs/index.html");
  return start === null ? undefined : dirname(start);
}

/** The folder of the built page: HAP_PAGE, else the one of this installation. */
export function pageFolder(env: NodeJS.ProcessEnv): string | undefined {
  return env.HAP_PAGE || (findInstalled(import.meta.url, "packages/web/dist") ?? undefined);
}
