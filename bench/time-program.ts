// How long a program takes to its first line, to its first words and to its end, and how much memory it and its children take.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export type Program = { command: string; args: readonly string[]; env: NodeJS.ProcessEnv; cwd: string };
export type Times = { first: number; text: number; exit: number };

/** Run to the end. `words` are the first words of the model; without any, only the lines count. Throws when the run fails. */
export function timeProgram({ command, args, env, cwd }: Program, words: string | null): Promise<Times> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const times: Times = { first: Number.NaN, text: Number.NaN, exit: Number.NaN };
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let [said, complaints] = ["", ""];
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      complaints += chunk;
    });
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
      if (Number.isNaN(times.first)) times.first = performance.now() - started;
      if (words !== null && Number.isNaN(times.text) && said.includes(words)) times.text = performance.now() - started;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      times.exit = performance.now() - started;
      if (code === 0 && (words === null || !Number.isNaN(times.text))) resolve(times);
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}: ${said.slice(0, 500)} ${complaints.slice(-500)}`));
    });
  });
}

/** The most memory that the program and its children had at once, in MB. Looking costs time, so it is a run of its own. */
export function memoryOf({ command, args, env, cwd }: Program): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: "ignore" });
    let most = 0;
    const timer = setInterval(() => {
      if (child.pid !== undefined) most = Math.max(most, residentKb(child.pid));
    }, 5);
    child.on("error", reject);
    child.on("close", () => {
      clearInterval(timer);
      resolve(most / 1024);
    });
  });
}

/** A process that ends meanwhile has nothing. */
function residentKb(pid: number): number {
  try {
    const own = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return own + children.reduce((sum, one) => sum + residentKb(Number(one)), 0);
  } catch {
    return 0;
  }
}
