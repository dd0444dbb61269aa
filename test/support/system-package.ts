// Programs that a test needs from the system: installed when they are missing and this may be done, else one line says how.
import { spawnSync } from "node:child_process";

const ATTEMPTS = 6;

/** Make sure that a program is there; throws with the line to run when it is not and cannot be installed here. */
export function needProgram(program: string, debianPackage = program): void {
  if (has(program)) return;
  const install = `apt-get update && apt-get install -y ${debianPackage}`;
  // Another test file may be installing at the same time and hold the lock.
  for (let attempt = 0; attempt < ATTEMPTS && process.getuid?.() === 0 && has("apt-get"); attempt++) {
    if (attempt > 0) spawnSync("sleep", ["5"]);
    spawnSync("sh", ["-c", install], { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    if (has(program)) return;
  }
  throw new Error(`This test needs ${program}. Install it with: sudo sh -c '${install}'`);
}

function has(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;
}
