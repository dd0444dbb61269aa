// Images: building the one of a task's folder, and where its commands begin.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { runToFile } from "../processes/run-to-file.ts";
import { TermError } from "../term-error.ts";
import { type ContainerEngine, callEngine } from "./container-engine.ts";

/** What an image is built from. */
export type Build = { context: string; dockerfile: string | null; args: Record<string, string>; target: string | null };

/** The tag of a task's image. The folder is part of it: two tasks may have the same name. */
export function imageTag(task: { name: string; folder: string }, service: string | null = null): string {
  const name = [task.name, service ?? ""]
    .join("-")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return `hap-term-${name || basename(task.folder)}-${hash("sha256", task.folder, "hex").slice(0, 8)}`;
}

/** Build an image; the engine's output goes to the log. */
export async function buildImage(
  engine: ContainerEngine,
  { context, dockerfile, args, target }: Build,
  tag: string,
  options: { logPath: string; timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const command = [
    ...engine.program,
    // Otherwise a failed build leaves the container of its last step.
    ...["build", "--force-rm", "--tag", tag],
    ...(dockerfile === null ? [] : ["--file", dockerfile]),
    ...(target === null ? [] : ["--target", target]),
    ...Object.entries(args).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]),
    context,
  ];
  const { exitCode } = await runToFile(command, { env: process.env, ...options });
  if (exitCode === 0) return;
  const why = exitCode === null ? `${options.timeoutMs / 1000} s were not enough` : lastLine(options.logPath);
  throw new TermError("setup_failed", `${engine.kind} could not build the image of ${context}: ${why}. See ${options.logPath}.`);
}

/** Where an image's commands begin, and its entry point. */
export async function inspectImage(engine: ContainerEngine, tag: string): Promise<{ workdir: string; entrypoint: string[] }> {
  const [image] = JSON.parse(await callEngine(engine, "image", "inspect", tag)) as { Config?: ImageConfig }[];
  return { workdir: image?.Config?.WorkingDir || "/", entrypoint: image?.Config?.Entrypoint ?? [] };
}

type ImageConfig = { WorkingDir?: string; Entrypoint?: string[] | null };

function lastLine(path: string): string {
  return readFileSync(path, "utf8").trim().split("\n").at(-1)?.trim() || "it printed nothing";
}
