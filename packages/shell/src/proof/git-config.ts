// git's configuration, read the way git does, to show that nothing in it makes a local verb run a program. What is not listed here,
// or cannot be read, is not shown: then the command is confined.
import type { Disk } from "../paths/disk.ts";
import { realPath } from "../paths/real-path.ts";

/** One setting: `section.key`, folded, without its subsection, which stands apart. */
export type GitSetting = { readonly name: string; readonly value: string };

const MOST_INCLUDES = 10;

/** Every setting of the files, includes followed whatever their condition says; undefined: it cannot be told. */
export function readGitSettings(files: readonly string[], home: string, disk: Disk): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  const rest = [...files];
  for (let count = 0; rest.length > 0; count += 1) {
    const path = rest.shift() as string;
    const real = realPath(path, disk);
    if (count > MOST_INCLUDES + files.length || real === undefined) return undefined;
    if (real.entry === null) continue;
    const text = real.entry.kind === "file" ? disk.read(real.path) : undefined;
    const found = typeof text === "string" ? parseSettings(text) : undefined;
    if (found === undefined) return undefined;
    for (const setting of found) {
      if (setting.name === "include.path" || setting.name === "includeif.path") {
        const included = includedPath(setting.value, real.path, home);
        if (included === undefined) return undefined;
        rest.push(included);
      } else settings.push(setting);
    }
  }
  return settings;
}

function includedPath(value: string, from: string, home: string): string | undefined {
  if (value.startsWith("~/")) return `${home}/${value.slice(2)}`;
  if (value === "" || value.startsWith("~") || value.startsWith("%")) return undefined;
  return value.startsWith("/") ? value : `${from.slice(0, from.lastIndexOf("/"))}/${value}`;
}

const SECTION = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]\s*(.*)$/;
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/;

/** The settings of one file; undefined for anything that is not plainly git's form. */
function parseSettings(text: string): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let section: string | undefined;
  const lines = joinContinued(
    text
      .replace(/^\uFEFF/, "")
      .replaceAll("\r\n", "\n")
      .split("\n"),
  );
  if (lines === undefined) return undefined;
  for (const raw of lines) {
    let line = raw.trim();
    const head = SECTION.exec(line);
    if (head !== null) {
      section = (head[1] ?? "").toLowerCase().split(".")[0] ?? "";
      line = (head[3] ?? "").trim();
    }
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const setting = SETTING.exec(line);
    if (setting === null || section === undefined) return undefined;
    settings.push({ name: `${section}.${(setting[1] ?? "").toLowerCase()}`, value: plainValue(setting[2]) });
  }
  return settings;
}

/** A value goes on behind a backslash at the end of its line. Beside a comment that is not worth telling apart. */
function joinContinued(lines: readonly string[]): readonly string[] | undefined {
  const joined: string[] = [];
  let open: string | undefined;
  for (const line of lines) {
    const whole: string = (open ?? "") + line;
    const continues = /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
    if (continues && /[#;]/.test(line)) return undefined;
    if (continues) open = whole.slice(0, -1);
    else {
      joined.push(whole);
      open = undefined;
    }
  }
  return open === undefined ? joined : undefined;
}

function plainValue(text: string | undefined): string {
  if (text === undefined) return "true";
  return text
    .replace(/^((?:[^"#;]|"(?:[^"\\]|\\.)*")*)[#;].*$/, "$1")
    .trim()
    .replaceAll(/(?<!\\)"/g, "");
}

/** Whole sections that no verb of the allowlist runs anything from. */
const SECTIONS = new Set(
  "user author committer color column advice alias credential http https url push pull fetch safe help merge mergetool difftool rebase rerere stash lfs gui gitk vscode github gpg delta i18n notes blame pack transfer receive".split(
    " ",
  ),
);

const KEYS = new Set(
  [
    "core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode",
    "core.symlinks core.autocrlf core.eol core.safecrlf core.quotepath core.whitespace core.abbrev core.compression",
    "core.bigfilethreshold core.pager core.editor core.excludesfile core.trustctime core.checkstat core.preloadindex core.untrackedcache",
    "core.longpaths core.protecthfs core.protectntfs core.commentchar core.sshcommand core.askpass core.hookspath",
    "init.defaultbranch remote.url remote.pushurl remote.fetch remote.tagopt remote.prune remote.gh-resolved remote.pushdefault",
    "branch.remote branch.merge branch.rebase branch.description branch.pushremote branch.sort branch.vscode-merge-base",
    "branch.github-pr-owner-number status.short status.branch status.showuntrackedfiles status.relativepaths status.showstash",
    "log.date log.decorate log.abbrevcommit log.follow diff.algorithm diff.renames diff.colormoved diff.colormovedws diff.context",
    "diff.mnemonicprefix diff.noprefix diff.wserrorhighlight diff.indentheuristic diff.renamelimit diff.tool diff.guitool",
    "diff.xfuncname commit.verbose commit.cleanup commit.status tag.sort index.version index.threads extensions.objectformat",
    "extensions.worktreeconfig gc.auto gc.autopacklimit gc.pruneexpire gc.autodetach gc.reflogexpire maintenance.auto maintenance.strategy",
    "submodule.url submodule.active",
  ].flatMap((keys) => keys.split(" ")),
);

const OFF = /^(?:false|no|off|0|)$/i;

/** What runs although nothing asks for it by name. `filters`: clean and smudge programs; `signs`: commits are signed. */
export type GitPrograms = { readonly filters: boolean; readonly signs: boolean; readonly hooksPath: string | undefined };

/** The programs that settings name; undefined: one of them is not known to be harmless. */
export function programsOf(settings: readonly GitSetting[]): GitPrograms | undefined {
  let filters = false;
  let signs = false;
  let hooksPath: string | undefined;
  for (const { name, value } of settings) {
    if (name === "core.hookspath") hooksPath = value;
    else if (name.startsWith("filter.")) filters ||= name !== "filter.required";
    else if (name === "commit.gpgsign" || name === "tag.gpgsign") signs ||= !OFF.test(value);
    else if (name === "core.fsmonitor" || name === "log.showsignature" || name === "push.gpgsign") {
      if (!OFF.test(value)) return undefined;
    } else if (name.startsWith("pretty.") || name === "format.pretty") {
      if (value.includes("%G")) return undefined;
    } else if (!KEYS.has(name) && !SECTIONS.has(name.split(".")[0] ?? "")) return undefined;
  }
  return { filters, signs, hooksPath };
}
