// A throw-away copy of the prepared project in which allowed commands really run, inside bubblewrap with everything else read-only,
// and what they changed there.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { prepareProject } from "../prepared-project.ts";

/** Configurations that make git run the project's script, if it runs any. */
export const HOSTILE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: {},
  filter: {
    "app/.git/config": '[filter "evil"]\n\tclean = EVIL\n\tsmudge = EVIL\n[diff "evil"]\n\ttextconv = EVIL\n\tcommand = EVIL\n',
  },
  fsmonitor: { "app/.git/config": "[core]\n\tfsmonitor = EVIL\n" },
  "continued fsmonitor": { "app/.git/config": "# a comment \\\n[core] fsmonitor = EVIL\n" },
  hooks: {
    "app/.git/hooks/post-index-change": "#!/bin/sh\nEVIL\n",
    "app/.git/hooks/pre-commit": "#!/bin/sh\nEVIL\n",
    "app/.git/hooks/reference-transaction": "#!/bin/sh\nEVIL\n",
    "app/.git/hooks/post-checkout": "#!/bin/sh\nEVIL\n",
  },
  "hooks path": { "app/.git/config": "[core]\n\thooksPath = tools\n", "app/tools/prepare-commit-msg": "#!/bin/sh\nEVIL\n" },
  signing: { "app/.git/config": "[commit]\n\tgpgSign\n[gpg]\n\tprogram = EVIL\n[log]\n\tshowSignature = true\n" },
  include: {
    "app/.git/config": "[include]\n\tpath = ../shared.gitconfig\n",
    "app/shared.gitconfig": "[diff]\n\texternal = EVIL\n",
  },
  "at home": { ".gitconfig": "[core]\n\tfsmonitor = EVIL\n\tattributesFile = x\n" },
  alternates: { "app/.git/config": "[core]\n\talternateRefsCommand = EVIL\n[gc]\n\trecentObjectsHook = EVIL\n\tauto = 1\n" },
  submodule: { "app/.gitmodules": '[submodule "s"]\n\tpath = packages\n\turl = ./x\n\tupdate = !EVIL\n' },
};

const COPY = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true } as const;
/** Hard links of the prepared project, and the names that they were made from. */
const SECOND_NAMES: Readonly<Record<string, string>> = { "app/same-as-env": "app/.env", "app/same-as-config": "app/.git/config" };

/** What stood at a path: enough to see any change. */
type Snapshot = ReadonlyMap<string, string>;

/** A copy that can be used again and again. */
export class Throwaway {
  readonly home: string;
  readonly project: string;
  readonly #template: string;
  readonly #remove: () => void;
  #before: Snapshot;

  constructor(hostile: keyof typeof HOSTILE) {
    const prepared = prepareProject();
    this.home = prepared.home;
    this.project = prepared.project;
    this.#remove = prepared.remove;
    for (const [name, text] of Object.entries(HOSTILE[hostile] ?? {})) {
      const path = join(this.home, name);
      mkdirSync(dirname(path), { recursive: true });
      const before = name.endsWith("config") && name !== "app/shared.gitconfig" ? readOr(path) : "";
      writeFileSync(path, before + text.replaceAll("EVIL", join(this.project, "evil.sh")));
      if (name.includes("/hooks/") || name.includes("/tools/")) chmodSync(path, 0o755);
    }
    this.#template = `${this.home}.template`;
    cpSync(this.home, this.#template, { ...COPY, filter: (path) => !lstatSync(path).isFIFO() });
    this.#before = snapshot(this.home);
  }

  /** Run a command as a host's shell would; every path below home that is another one afterwards, and what was printed. */
  run(command: string, path: string): { changed: string[]; printed: string } {
    const jail = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", this.home, this.home];
    const apart = ["--unshare-all", "--die-with-parent", "--new-session", "--chdir", this.project, "--clearenv"];
    const env = ["--setenv", "HOME", this.home, "--setenv", "PATH", path, "--setenv", "LANG", "C.UTF-8"];
    const ran = spawnSync("bwrap", [...jail, ...apart, ...env, "bash", "--norc", "--noprofile", "-c", command], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 4_000,
      killSignal: "SIGKILL",
      maxBuffer: 16 * 1024 * 1024,
    });
    if (ran.stderr?.startsWith("bwrap:")) throw new Error(`bubblewrap does not work here: ${ran.stderr}`);
    const after = snapshot(this.home);
    const paths = new Set([...this.#before.keys(), ...after.keys()]);
    const changed = [...paths].filter((name) => this.#before.get(name) !== after.get(name)).map((name) => join(this.home, name));
    if (changed.length > 0) this.#restore(changed);
    return { changed, printed: `${ran.stdout}${ran.stderr}` };
  }

  /** Put back what changed, parents first; a file with a second name gets it again. */
  #restore(changed: readonly string[]): void {
    for (const path of changed) rmSync(path, { recursive: true, force: true });
    for (const path of [...changed].sort()) {
      const name = path.slice(this.home.length + 1);
      const first = SECOND_NAMES[name];
      // cpSync refuses a link that leads nowhere.
      const link = /^link (.*)$/s.exec(this.#before.get(name) ?? "")?.[1];
      if (first !== undefined) linkSync(join(this.home, first), path);
      else if (name === "app/pipe") spawnSync("mkfifo", [path]);
      else if (link !== undefined) symlinkSync(link, path);
      else if (this.#before.has(name)) cpSync(join(this.#template, name), path, COPY);
    }
    this.#before = snapshot(this.home);
  }

  remove(): void {
    this.#remove();
    rmSync(this.#template, { recursive: true, force: true });
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function snapshot(folder: string, below = "", into = new Map<string, string>()): Snapshot {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    const path = join(folder, name);
    if (entry.isDirectory()) {
      into.set(name, "folder");
      snapshot(folder, name, into);
    } else if (entry.isSymbolicLink()) into.set(name, `link ${readlinkSync(path)}`);
    else if (entry.isFile()) {
      const stat = lstatSync(path);
      into.set(name, `file ${stat.mode} ${stat.mtimeMs} ${readFileSync(path, "latin1")}`);
    } else into.set(name, "other");
  }
  return into;
}
