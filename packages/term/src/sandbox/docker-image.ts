// Images: whether an engine answers, the image of a task's folder, and where its commands begin.
import { execFile, execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { basename } from "node:path";
import { promisify } from "node:util";
import { runToFile } from "../processes/run-to-file.ts";
import { TermError } from "../term-error.ts";

const ANSWER_MS = 20_000;

/** True when a container engine answers. */
export function dockerAnswers(): boolean {
  try {
    const info = ["info", "--format", "{{.ServerVersion}}"];
    // Some versions of the command end with 0 even though nobody answered; then they print nothing.
    return (
      execFileSync("docker", info, { stdio: ["ignore", "pipe", "ignore"], timeout: ANSWER_MS })
        .toString()
        .trim() !== ""
    );
  } catch {
    return false;
  }
}

/** The name of a task's image: two tasks of one name in different folders must not take each other's. */
export function imageTag(task: { name: string; folder: string }): string {
  const name = task.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return `hap-term-${name || basename(task.folder)}-${hash("sha256", task.folder, "hex").slice(0, 8)}`;
}

/** Build the image of a folder; the log has the engine's words. */
export async function buildImage(
  folder: string,
  tag: string,
  options: { logPath: string; timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  // A build that fails would leave the container of its last step.
  const build = ["docker", "build", "--force-rm", "--tag", tag, folder];
  const { exitCode } = await runToFile(build, { env: process.env, ...options });
  if (exitCode !== 0)
    throw new TermError(
      "setup_failed",
      `The image of ${folder} could not be built (${exitCode ?? "out of time"}); see ${options.logPath}.`,
    );
}

/** Where an image's commands begin. */
export async function imageWorkdir(tag: string): Promise<string> {
  const inspect = ["image", "inspect", "--format", "{{.Config.WorkingDir}}", tag];
  const { stdout } = await promisify(execFile)("docker", inspect);
  return stdout.trim() || "/";
}
