// The installed command, run as the host runs it: from the settings, word for word, by a shell.
import { spawn } from "node:child_process";

/** What came of it. */
export type GateRun = { code: number | null; out: string; err: string; ms: number };

/** Start the command with a payload; killed after `limitMs`. */
export function runGate(command: string, payload: object, limitMs: number): Promise<GateRun> {
  const started = performance.now();
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"], detached: true });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(payload));
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), limitMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({
        code,
        out: Buffer.concat(out).toString(),
        err: Buffer.concat(err).toString().trim(),
        ms: performance.now() - started,
      });
    });
  });
}

/** A call of a tool as a host tells it. */
export function toolCall(cwd: string, tool: string, input: object): object {
  return {
    session_id: "hap-doctor",
    transcript_path: "/dev/null",
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: "hap-doctor",
  };
}
