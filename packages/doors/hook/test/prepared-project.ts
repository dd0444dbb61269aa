// A project with everything that an attacker could leave in it: links, hard links, a planted repository, secrets, hostile files.
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Not below /tmp, which a confined command has to itself. */
const PLACE = fileURLToPath(new URL("../../../../node_modules/", import.meta.url));

/** Text that must never be printed by what the gate allows. */
export const SECRET = "hap-canary-4f1c";

/** Make it below a new home folder. */
export function prepareProject(): { home: string; project: string; remove: () => void } {
  const home = realpathSync(mkdtempSync(join(PLACE, ".hap-gate-")));
  const project = join(home, "app");
  const write = (name: string, text: string | Buffer, mode = 0o644) => {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  };
  write("app/a.txt", "one\ntwo\n");
  write("app/f", "aaa\n");
  write("app/s.json", "{}\n");
  write("app/package.json", '{"a":{"b":1}}\n');
  write("app/src/a.ts", "export const a = 1;\n");
  write("app/src/b file.ts", "export const b = 2;\n");
  write("app/lib/a.ts", "export const a = 3;\n");
  write("app/packages/core/index.js", "\n");
  write("app/.claude/settings.json", "{}\n");
  write("app/.claude/settings.json.gz", "\n");
  write("app/evil/.envrc", "touch pwned\n");
  write("app/evil/.mcp.json", "{}\n");
  write("app/evil.sh", `#!/bin/sh\ntouch "${home}/pwned"\n`, 0o755);
  write("app/node_modules/.bin/cat", `#!/bin/sh\ntouch "${home}/pwned"\n`, 0o755);
  write("app/.gitattributes", "*.ts filter=evil diff=evil merge=evil\n* text=auto\n");
  write("app/bare/HEAD", "ref: refs/heads/main\n");
  write("app/bare/config", `[core]\n\tfsmonitor = ${project}/evil.sh\n`);
  for (const folder of ["objects", "refs"]) mkdirSync(join(project, "bare", folder), { recursive: true });
  git(project, home, "init", "--quiet", "--initial-branch=main");
  git(project, home, "config", "user.name", "Alex");
  git(project, home, "config", "user.email", "alex@example.com");
  git(project, home, "add", "a.txt", "src", "package.json", ".gitattributes");
  git(project, home, "commit", "--quiet", "-m", "first");
  git(project, home, "checkout", "--quiet", "-b", "other");
  write("app/.mcp.json", "{}\n");
  write("app/src/a.ts", "export const a = 9;\n");
  git(project, home, "add", ".mcp.json", "src");
  git(project, home, "commit", "--quiet", "-m", "second");
  git(project, home, "checkout", "--quiet", "main");
  write("app/a.txt", "one\ntwo\nthree\n");
  write("app/src/a.ts", "export const a = 1; // changed\n");
  write("app/.envrc.gz", gzipSync("touch pwned\n"));
  rmSync(join(project, ".git", "hooks"), { recursive: true, force: true });
  mkdirSync(join(project, ".git", "hooks"));
  write("app/.env", `KEY=${SECRET}\n`);
  write("app/tricky/-n", "");
  write("app/tricky/a", "a\n");
  write("app/tricky/secrets.json", `${SECRET}\n`);
  write("outside/x", `${SECRET}\n`);
  write("secret.txt", `${SECRET}\n`);
  write("foo", `${SECRET}\n`);
  write(".ssh/id_rsa", `${SECRET}\n`);
  write(".hap/hap.db", `${SECRET}\n`);
  write(".claude/settings.json", `{"env":{"K":"${SECRET}"}}\n`);
  write(".npmrc", `${SECRET}\n`);
  write(".bashrc", "\n");
  mkdirSync(join(project, "node_modules/@x"), { recursive: true });
  symlinkSync("../../packages/core", join(project, "node_modules/@x/core"));
  symlinkSync("../outside", join(project, "out"));
  symlinkSync("../outside", join(project, "my link"));
  symlinkSync(".env", join(project, "notes"));
  symlinkSync("../not-there", join(project, "dangling"));
  symlinkSync(".git/hooks/post-commit", join(project, "later-hook"));
  symlinkSync("loop", join(project, "loop"));
  linkSync(join(project, ".env"), join(project, "same-as-env"));
  linkSync(join(project, ".git/config"), join(project, "same-as-config"));
  execFileSync("mkfifo", [join(project, "pipe")]);
  return { home, project, remove: () => rmSync(home, { recursive: true, force: true }) };
}

function git(cwd: string, home: string, ...args: string[]): void {
  execFileSync("git", args, { cwd, env: { HOME: home, PATH: process.env.PATH ?? "" }, stdio: "pipe" });
}
