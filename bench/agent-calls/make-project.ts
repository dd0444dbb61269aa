// A folder for the calls of one trajectory to be judged in: a git repository with the manifests of its language, a home beside it, and
// the files that the calls name.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Language, StoredCall } from "./read-calls.ts";

/** A call as a host would send it. */
export type HostCall = { stored: StoredCall; tool: { name: string; input: Record<string, unknown> } };
export type Project = { root: string; home: string; calls: HostCall[] };

const PACKAGE = {
  name: "app",
  version: "1.0.0",
  private: true,
  scripts: Object.fromEntries(
    ["build", "dev", "start", "lint", "typecheck", "format", "format:fix", "check", "check:fix", "ci", "test"].map((name) => [
      name,
      "node src/index.ts",
    ]),
  ),
};

const MANIFESTS: Record<Language, Record<string, string>> = {
  typescript: { "package.json": JSON.stringify(PACKAGE, null, 2), "tsconfig.json": "{}\n" },
  python: {
    "pyproject.toml": '[project]\nname = "app"\nversion = "1.0.0"\n',
    "web/package.json": JSON.stringify(PACKAGE, null, 2),
  },
  rust: { "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n' },
  go: { "go.mod": "module example.org/app\n\ngo 1.22\n", "deploy/docker-compose.yml": "services: {}\n" },
};

/** Set it up below `folder`. */
export function makeProject(folder: string, language: Language, stored: readonly StoredCall[]): Project {
  const root = join(folder, "home", "dev", "app");
  const home = join(folder, "home", "dev");
  mkdirSync(root, { recursive: true });
  for (const [name, text] of Object.entries(MANIFESTS[language])) write(join(root, name), text);
  const place = (text: string) => text.replaceAll("$P", root);
  for (const [path, lines] of filesOf(stored)) write(inPlace(path, root, home), numbered(lines));
  const made = new Set(madeBy(stored).map((path) => inPlace(path, root, home)));
  for (const word of wordsOf(stored)) name(place(word), root, home, made);
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { stdio: "ignore", env: gitEnvironment(home) });
  git("init", "--initial-branch=main");
  git("add", "-A");
  git("commit", "--quiet", "--message", "Begin");
  return { root, home, calls: stored.map((call) => toHostCall(call, root, home)) };
}

function gitEnvironment(home: string): NodeJS.ProcessEnv {
  const who = { GIT_AUTHOR_NAME: "dev", GIT_AUTHOR_EMAIL: "dev@example.org" };
  return {
    ...who,
    GIT_COMMITTER_NAME: "dev",
    GIT_COMMITTER_EMAIL: "dev@example.org",
    GIT_CONFIG_NOSYSTEM: "1",
    HOME: home,
    PATH: process.env.PATH,
  };
}

function inPlace(path: string, root: string, home: string): string {
  return path.replace(/^\$P/, root).replace(/^~/, home);
}

/** Files that tools other than the shell read or edit, each with as many lines as the calls need. */
function filesOf(calls: readonly StoredCall[]): Map<string, number> {
  const files = new Map<string, number>();
  const made = new Set<string>();
  for (const { tool, input } of calls) {
    const path = input.file_path;
    if (typeof path !== "string") continue;
    // What a call creates is not there before it.
    if (tool === "Write" && !files.has(path)) made.add(path);
    if (tool === "Write" || made.has(path)) continue;
    const read = Number(input.offset ?? 0) + Number(input.limit ?? 0);
    const edited = Number(input.old_lines ?? 0) + 20;
    files.set(path, Math.max(files.get(path) ?? 120, read, edited));
  }
  return files;
}

/** Files that a call creates: they are not there before it. */
function madeBy(calls: readonly StoredCall[]): string[] {
  const files = filesOf(calls);
  return calls.flatMap(({ tool, input }) => {
    const path = input.file_path;
    return tool === "Write" && typeof path === "string" && !files.has(path) ? [path] : [];
  });
}

/** Words of commands that look like files or folders. */
function wordsOf(calls: readonly StoredCall[]): string[] {
  const commands = calls.map(({ input }) => input.command).filter((command) => typeof command === "string");
  const words = commands.flatMap((command) => command.split(/[\s;|&<>()"']+/));
  return words.filter(
    (word) => /^(?:\$P\/|[a-zA-Z.][\w.-]*\/|~\/)[\w./@-]*$/.test(word) || /^[\w-]+\.(?:md|json|ts|toml)$/.test(word),
  );
}

/** Make the file or folder that a word names. Names without an ending are folders, programs of the home excepted. */
function name(word: string, root: string, home: string, made: ReadonlySet<string>): void {
  const path = word.startsWith("~") ? join(home, word.slice(1)) : word.startsWith("/") ? word : join(root, word);
  if (!path.startsWith(home) || existsSync(path) || made.has(path)) return;
  if (/\.\w+$/.test(path) || path.includes("/bin/")) write(path, numbered(40));
  else mkdirSync(path, { recursive: true });
}

function write(path: string, text: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const line = (number: number, what = "line"): string => `${what} ${number}`;
const numbered = (count: number, what?: string): string =>
  Array.from({ length: count }, (_, at) => `${line(at + 1, what)}\n`).join("");

/** The input as the host would send it: texts in the place of counts of lines. */
function toHostCall(stored: StoredCall, root: string, home: string): HostCall {
  const { tool, input } = stored;
  const { old_lines: removed, new_lines: added, lines, ...rest } = input;
  const paths = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, typeof value === "string" ? toText(key, value, root, home) : value]),
  );
  const edit = { old_string: numbered(Number(removed)), new_string: numbered(Number(added), "new") };
  if (tool === "Edit") return { stored, tool: { name: tool, input: { ...paths, ...edit } } };
  if (tool === "MultiEdit") return { stored, tool: { name: tool, input: { ...paths, edits: [edit] } } };
  if (tool === "Write") return { stored, tool: { name: tool, input: { ...paths, content: numbered(Number(lines), "new") } } };
  return { stored, tool: { name: tool, input: paths } };
}

function toText(key: string, value: string, root: string, home: string): string {
  if (key === "command" || key === "url" || key === "pattern") return value.replaceAll("$P", root);
  return key === "file_path" || key === "path" ? inPlace(value, root, home) : value;
}
