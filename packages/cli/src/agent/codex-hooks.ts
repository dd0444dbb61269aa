// Asks Codex itself which hooks it would run with these overrides: their names, their hashes, and whether they are trusted. So the
// gate stands on what this version of Codex says, and not on what we think that it does.
import { spawn } from "node:child_process";
import { HapError } from "@hap/protocol";

/** A hook as Codex lists it. */
export type CodexHook = {
  key: string;
  eventName: string;
  command?: string;
  source: string;
  enabled: boolean;
  currentHash: string;
  trustStatus: string;
};

const LIMIT_MS = 60_000;

/** The hooks of a session in `cwd` with these overrides, as Codex's own server lists them. */
export async function listCodexHooks(
  program: string,
  overrides: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<CodexHook[]> {
  const child = spawn(program, [...overrides, "app-server"], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const complaints: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
  child.stdin.on("error", () => {});
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  try {
    return await new Promise<CodexHook[]>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => reject(new Error(`It exited with ${code}. ${Buffer.concat(complaints)}`.trim())));
      let rest = "";
      child.stdout.on("data", (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const message = parse(line);
          if (message.error !== undefined) reject(new Error(JSON.stringify(message.error)));
          else if (message.id === 1) {
            send({ method: "initialized" });
            send({ id: 2, method: "hooks/list", params: { cwds: [cwd] } });
          } else if (message.id === 2) resolve(message.result?.data?.[0]?.hooks ?? []);
        }
      });
      send({ id: 1, method: "initialize", params: { clientInfo: { name: "hap", version: "0" } } });
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new HapError("store_unusable", `Codex did not say which hooks it would run, so it was not started. ${said}`, {});
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

/** True if the program's help names an option. */
export async function takesOption(program: string, option: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(program, ["--help"], { env, stdio: ["ignore", "pipe", "ignore"], timeout: LIMIT_MS });
  let help = "";
  for await (const chunk of child.stdout) help += chunk;
  return help.includes(option);
}

type Message = { id?: number; error?: unknown; result?: { data?: { hooks?: CodexHook[] }[] } };

function parse(line: string): Message {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
