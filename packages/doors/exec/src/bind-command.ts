// Looks at a command as it would run now: the program's real path and hash, its arguments and the files among them, the
// folder, the environment and the input.
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { HapError, quote } from "@hap/protocol";
import { type Binding, NOT_BOUND, quoteArguments } from "./binding.ts";
import { buildEnvironment, type EnvironmentRequest, refuseBytes } from "./environment.ts";
import { hashBytesOf, hashFile } from "./hash-file.ts";
import { interpretersOf } from "./interpreters.ts";

export type CommandRequest = {
  argv: readonly string[];
  cwd: string;
  environment: EnvironmentRequest;
  /** A file for standard input, or null for none. */
  stdin: string | null;
};

export function bindCommand({ argv, cwd, environment, stdin }: CommandRequest): Binding {
  argv.forEach((word, at) => {
    refuseBytes(word, at === 0 ? "The command" : `Argument ${at}`);
  });
  const folder = realpathSync(cwd);
  refuseBytes(folder, "The folder");
  const { env, secret } = buildEnvironment(environment);
  const executable = findExecutable(argv[0] ?? "", folder, env.PATH ?? "");
  return {
    command: quoteArguments(argv),
    argv: [...argv],
    executable,
    executable_hash: hashFile(executable),
    cwd: folder,
    env,
    secret_env: secret,
    stdin: stdin === null ? null : bindInput(resolve(cwd, stdin)),
    files: { ...filesAmong(argv.slice(1), folder), ...startFiles(executable, folder, env) },
    not_bound: NOT_BOUND,
  };
}

/** What is read before the program itself: the interpreters of its first line, and the files that a shell reads at its start. */
function startFiles(executable: string, cwd: string, env: Record<string, string>): Record<string, string> {
  const find = (name: string) => {
    try {
      return findExecutable(name, cwd, env.PATH ?? "");
    } catch {
      // Not there now: the program will not start either.
      return undefined;
    }
  };
  const read = STARTUP_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [resolve(cwd, env[name])]));
  const files = [...interpretersOf(executable, find), ...read];
  return Object.fromEntries(
    files.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true).map((path) => [path, hashFile(path)]),
  );
}

/** Variables that name a file which a shell, or the loader, reads before the program runs. */
const STARTUP_VARIABLES = ["BASH_ENV", "ENV", "LD_PRELOAD", "LD_AUDIT", "PYTHONSTARTUP", "GIT_CONFIG_GLOBAL", "GIT_CONFIG"];

/** The program that would be started, by its real path; looked for as a shell does, in the environment that it gets. */
export function findExecutable(name: string, cwd: string, path: string): string {
  const candidates = name.includes("/")
    ? [resolve(cwd, name)]
    : path.split(delimiter).map((folder) => join(folder === "" ? cwd : folder, name));
  const found = name === "" ? undefined : candidates.find((candidate) => isExecutable(candidate));
  if (found !== undefined) return realpathSync(isAbsolute(found) ? found : resolve(cwd, found));
  throw new HapError("invalid_input", `There is no program ${quote(name)} that could be started here.`, { field: "COMMAND" });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function bindInput(file: string): NonNullable<Binding["stdin"]> {
  const bytes = readInput(file);
  return { file, hash: hashBytesOf(bytes), bytes: bytes.length };
}

/** All of the input at once, so that what was checked is what is given to the program. */
export function readInput(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new HapError(
      "invalid_input",
      `--stdin: ${quote(file)} cannot be read (${code}).`,
      { field: "--stdin", path: file },
      error,
    );
  }
}

/** Arguments, and what stands behind the `=` of an option, that name a file here. */
function filesAmong(words: readonly string[], cwd: string): Record<string, string> {
  const names = words.flatMap((word) => {
    const value = /^--?[^=]+=(.+)$/.exec(word)?.[1];
    return value === undefined ? [word] : [word, value];
  });
  const files: Record<string, string> = {};
  for (const name of names) {
    const path = resolve(cwd, name);
    if (name !== "" && statSync(path, { throwIfNoEntry: false })?.isFile() === true) files[path] = hashFile(path);
  }
  return files;
}
