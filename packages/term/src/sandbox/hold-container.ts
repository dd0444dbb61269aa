// Holds a container for as long as the harness lives. The container's first process waits at its standard input, which is ours:
// when the harness ends, by whatever signal, that input ends, and with it the container and everything in it.
import { spawn } from "node:child_process";
import { within } from "../processes/within.ts";
import { TermError } from "../term-error.ts";
import type { ContainerSpec } from "./sandbox.ts";

/** bash, as first process, also takes in what is left without a parent. The line says that the container is up. */
const HOLD = "echo up; while read -r _; do :; done";

const END_MS = 10_000;

/** Resolves when the container is up. `args` are those of `docker run` up to the image, whose entry point is bash. */
export async function holdContainer(
  { image, signal }: ContainerSpec,
  args: readonly string[],
): Promise<{ end: () => Promise<void> }> {
  // A group of its own: Ctrl-C is the harness's to handle.
  const child = spawn("docker", [...args, "-c", HOLD], { detached: true, stdio: ["pipe", "pipe", "pipe"] });
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
        `The container did not start from ${image}: ${said.trim() || "docker said nothing"}`,
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
