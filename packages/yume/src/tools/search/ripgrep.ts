// ripgrep, the engine of Grep and Glob: started without a shell, ended with the call, its output bounded.
import { ToolError } from "../tool.ts";

const OUTPUT_LIMIT = 8 * 1024 * 1024;
const TIME_LIMIT_MS = 60_000;

/** Always: hidden files too, but not the innards of version control; no user's configuration file. */
const ALWAYS = ["--no-config", "--hidden", "--glob", "!.git", "--glob", "!.hg", "--glob", "!.svn", "--glob", "!.jj"];

export type Found = { output: string; cut: boolean };

/** Run it. No match is an empty output; a pattern that it cannot read is a `ToolError`. */
export async function ripgrep(args: readonly string[], cwd: string, signal: AbortSignal): Promise<Found> {
  const { rgPath } = await import("@vscode/ripgrep");
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, [...ALWAYS, ...args], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
    });
    const chunks: Buffer[] = [];
    let length = 0;
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => {
      if (length < OUTPUT_LIMIT) chunks.push(chunk);
      length += chunk.length;
      if (length >= OUTPUT_LIMIT) child.kill();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < 4_000) errors += chunk.toString();
    });
    child.on("error", (error) =>
      reject(signal.aborted ? error : new ToolError(`The search ended without a result: ${error.message}`)),
    );
    child.on("close", (code) => {
      const output = Buffer.concat(chunks).toString("utf8").toWellFormed();
      // 1 is "nothing found"; 2 with results is "some files could not be read".
      if (code === 2 && length === 0) reject(new ToolError(`The search failed: ${errors.trim()}`));
      else resolve({ output, cut: length >= OUTPUT_LIMIT });
    });
  });
}
