// Ties a container's life to the harness. The container's first process reads its standard input, a pipe that the harness holds:
// when the harness ends, even by SIGKILL, the pipe closes, and the container ends with everything in it.
import { spawn } from "node:child_process";
import { within } from "../processes/within.ts";
import { TermError } from "../term-error.ts";
import type { ContainerSpec } from "./sandbox.ts";

/** bash as process 1 also reaps orphans. The first line of output says that the container is up. */
const HOLD = "echo up; while read -r _; do :; done";
/** An entry point starts what a task needs, such as a server. It must not decide when the container ends. */
const WITH_ENTRYPOINT = `"$@" </dev/null >/dev/null 2>&1 & ${HOLD}`;

const END_MS = 10_000;

/** Resolves when the container is up. `args` are those of `run` up to the image, whose entry point is bash. */
export async function holdContainer(
  { engine, image, entrypoint, signal }: ContainerSpec,
  args: readonly string[],
): Promise<{ end: () => Promise<void> }> {
  // A group of its own: Ctrl-C is the harness's to handle.
  const [file = "", ...options] = engine.program;
  const hold = entrypoint === null ? [HOLD] : [WITH_ENTRYPOINT, "bash", ...entrypoint];
  const child = spawn(file, [...options, ...args, "-c", ...hold], { detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = () => child.kill("SIGKILL");
  signal.addEventListener("abort", stop);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = (said + chunk).slice(-4_000);
  });
  child.stdin.on("error", () => {});
  try {
    const up = new Promise<true>((resolve) => child.stdout.once("data", () => resolve(true)));
    if (signal.aborted) stop();
    if ((await Promise.race([up, ended])) !== true)
      throw new TermError(
        "sandbox_missing",
        `The container did not start from ${image}: ${said.trim() || `${engine.kind} printed nothing`}`,
      );
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return {
    async end() {
      child.stdin.destroy();
      if (
        (await within(
          ended.then(() => true),
          END_MS,
        )) !== true
      )
        stop();
    },
  };
}
