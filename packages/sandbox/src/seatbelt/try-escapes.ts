// Tries to escape from the Seatbelt profile, in a throw-away project. What runs a command inside is given: sandbox-exec on a Mac.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GATE_PATTERNS } from "@hap/shell/paths";
import { ESCAPE_ATTEMPTS, type EscapeAttempt, ORDINARY_WORK } from "./escape-attempts.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

/** Runs bash with a script under a profile and returns what it printed. */
export type RunInside = (profile: string, script: string, where: { cwd: string; env: Record<string, string> }) => Promise<string>;

/** Names of attempts that succeeded, and of ordinary work that failed. */
export type Tried = { escaped: string[]; failed: string[]; attempts: number };

const FILES: Readonly<Record<string, string>> = {
  "app/.git/config": "[core]\n",
  "app/.git/HEAD": "ref: refs/heads/main\n",
  "app/.git/hooks/sample": "",
  "app/.claude/settings.json": "{}\n",
  "app/.husky/pre-push": "\n",
  "app/packages/app/.envrc": "\n",
  "app/packages/app/index.js": "\n",
  "outside/secret": "secret\n",
};

/** Try everything, each in a project of its own. */
export async function tryEscapes(run: RunInside): Promise<Tried> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  try {
    const escaped: string[] = [];
    const failed: string[] = [];
    for (const attempt of ESCAPE_ATTEMPTS) if (await succeeds(attempt, run, port)) escaped.push(attempt.name);
    for (const work of ORDINARY_WORK) if (!(await prints(work, run, port, "WORKED"))) failed.push(work.name);
    return { escaped, failed, attempts: ESCAPE_ATTEMPTS.length };
  } finally {
    server.close();
  }
}

function succeeds(attempt: EscapeAttempt, run: RunInside, port: number): Promise<boolean> {
  return prints(attempt, run, port, "ESCAPED");
}

/** True when it printed the word, or changed the path that it says. */
async function prints({ script, changes }: EscapeAttempt, run: RunInside, port: number, word: string): Promise<boolean> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hap-seatbelt-")));
  try {
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    for (const name of ["home", "tmp"]) mkdirSync(join(folder, name));
    const project = join(folder, "app");
    const outside = join(folder, "outside");
    const profile = seatbeltProfile({
      project,
      writable: [join(folder, "home"), join(folder, "tmp")],
      toolchains: [],
      gates: GATE_PATTERNS,
      readOnly: [],
      gitDirs: [join(project, ".git")],
      gitWritable: script.includes("git"),
      // Nothing listens there.
      proxyPort: 9,
    });
    const env = {
      ...{ HOME: join(folder, "home"), TMPDIR: join(folder, "tmp"), PATH: "/usr/bin:/bin:/usr/sbin:/sbin" },
      ...{ OUTSIDE: outside, PORT: String(port), PARENT: String(process.pid) },
    };
    const watched = changes === undefined ? null : changes.replace("$OUTSIDE", outside);
    const at = watched === null ? null : watched.startsWith("/") ? watched : join(project, watched);
    const before = at === null ? null : look(at);
    const printed = await run(profile, script, { cwd: project, env });
    return printed.split("\n").includes(word) || (at !== null && look(at) !== before);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is at a path: enough to see a change. */
function look(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "nothing";
  return stat.isDirectory() ? `folder ${readdirSync(path).join()}` : `file ${readFileSync(path, "utf8")}`;
}
