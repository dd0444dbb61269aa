// git: the table's rows for the sub-command, the options in front of it, and the commands that git itself is told to run.
import type { Argument } from "../grammar/argument.ts";
import { findProduction } from "../grammar/production-words.ts";
import { type Options, readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { noteGate, noteSecret, readPath, writePath } from "../grammar/touch-path.ts";
import { boundary } from "../paths/resolve-path.ts";
import { show } from "../show.ts";
import { GIT_CHANGES, GIT_LONG, GIT_TABLE, GIT_VALUED, type GitRow } from "./git-table.ts";
import type { Handler } from "./handler.ts";

/** Configuration whose value git runs. */
const RUNS =
  /^(?:alias\.|core\.(?:fsmonitor|pager|editor|sshcommand|hookspath|askpass|gitproxy)|diff\.|difftool\.|mergetool\.|pager\.|filter\.|credential\.|gpg\.|sequence\.editor|merge\..*driver|uploadpack\.|protocol\.ext|remote\..*\.(?:vcs|uploadpack|receivepack)|include)/i;

/** Verbs whose paths are only read, into the index or onto the screen. */
const READS_PATHS = new Set(
  "status log diff show blame branch tag describe shortlog grep reflog rev-parse rev-list ls-files ls-tree cat-file merge-base show-ref add commit check-ignore".split(
    " ",
  ),
);

/** Settings that name no program and no file. */
const PLAIN_SETTINGS =
  /^(?:user\.(?:name|email)|color\..*|advice\..*|core\.(?:quotepath|autocrlf|abbrev|filemode)|init\.defaultbranch|log\..*date|diff\.(?:algorithm|renames|noprefix|context)|(?:commit|tag)\.gpgsign=(?:false|no|off|0)$|(?:core\.)?pager=(?:cat|less)?$)/i;

/** git in any form. */
export const handleGit: Handler = (call: Call) => {
  const { scan, args } = call;
  const front = readOptions(
    args,
    "C:c:",
    ["git-dir=", "work-tree=", "exec-path=", "namespace=", "config-env=", "super-prefix="],
    true,
  );
  const [name, ...rest] = front.operands;
  noteFront(call, front);
  if (name === undefined) return;
  if (name.certainty !== "exact") return scan.note("opaque", `git runs a sub-command only known at run time: ${show(name.raw)}`);
  const separator = rest.findIndex((arg) => arg.text === "--");
  const options = readOptions(rest, GIT_VALUED.get(name.text), GIT_LONG);
  const rows = [...(GIT_TABLE.get(name.text) ?? []), ...(GIT_CHANGES.get(name.text) ?? [])];
  if (rows.length === 0) scan.note("unknown", `git ${show(name.text)} is not a sub-command whose effects are known`);
  for (const row of rows) noteRow(call, name.text, row, options);
  if (name.text === "checkout" && separator >= 0) scan.note("irreversible_vcs", "git checkout -- throws uncommitted work away");
  noteCommands(call, name.text, options, rest);
  for (const arg of rest) noteOperand(call, arg);
  if (!READS_PATHS.has(name.text)) for (const arg of rest) noteGate(scan, arg, `git ${name.text}`);
  const hidden = rest.find((arg) => arg.certainty === "dynamic" && !arg.raw.startsWith('"'));
  if (hidden !== undefined) scan.note("unknown", `git takes ${show(hidden.raw)}, which may be an option`);
  if (scan.cwds.current?.some((cwd) => cwd !== boundary(scan.context)) !== false) {
    scan.note("unknown", "git outside the project's root may meet a planted repository with its own configuration");
  }
  if (name.text === "push" || name.text === "remote") noteProduction(call);
};

/** A path, `revision:path`, or the value of an option; a message with blanks is none of them. */
function noteOperand({ scan }: Call, arg: Argument): void {
  if (/\s/.test(arg.text)) return;
  noteSecret(scan, arg, "git");
  const text = arg.text.startsWith("-") ? arg.text.replace(/^[^=]*=?/, "") : arg.text;
  for (const piece of text.split(":")) if (piece !== "") noteSecret(scan, { ...arg, text: piece }, "git");
  if (/^(?:\/|\.\.(?:\/|$))/.test(text)) readPath(scan, { ...arg, text }, "git");
}

function noteRow({ scan }: Call, name: string, row: GitRow, options: Options): void {
  if (row.when?.(options) === false) return;
  scan.note(row.effect, `git ${name} ${row.what}`);
}

/** `-c`, `-C` and their kind decide which repository is used and what git runs. */
function noteFront(call: Call, front: Options): void {
  const { scan } = call;
  for (const setting of front.values("c", "config-env")) noteSetting(call, setting);
  for (const folder of front.values("C", "work-tree", "git-dir")) readPath(scan, folder, "git");
  if (front.has("exec-path", "config-env")) scan.note("gate_files", "git takes its programs or settings from elsewhere");
  if (front.has("git-dir", "work-tree", "exec-path", "C"))
    scan.note("unknown", "git uses another repository, with its own configuration");
}

function noteSetting({ scan, stdin }: Call, setting: Argument): void {
  const [key = "", ...value] = setting.text.split("=");
  if (setting.certainty === "exact" && (PLAIN_SETTINGS.test(key) || PLAIN_SETTINGS.test(setting.text))) return;
  scan.note("gate_files", `git -c ${show(setting.raw)} changes git's configuration for this command`);
  if (!RUNS.test(key) && setting.certainty === "exact") return;
  scan.note("opaque", `git -c ${show(setting.raw)} names a program that git runs by itself`);
  scan.runText(value.join("=").replace(/^!/, ""), stdin);
}

/** The places where git is given a command or a file to write. */
function noteCommands(call: Call, name: string, options: Options, rest: readonly Argument[]): void {
  const { scan, stdin } = call;
  const [first, ...words] = options.operands;
  const texts = [
    ...options.values("exec", "upload-pack", "receive-pack"),
    ...(name === "rebase" || name === "difftool" ? options.values("x") : []),
  ];
  if (name === "bisect" && first?.text === "run") scan.runCall(words, stdin);
  if (name === "submodule" && first?.text === "foreach") texts.push(...words.slice(0, 1));
  for (const text of texts) {
    scan.note("unknown", `git ${name} runs ${show(text.raw)}`);
    scan.runText(text.text, stdin);
  }
  for (const url of rest.filter((arg) => /^ext::/.test(arg.text)))
    scan.note("opaque", `git runs ${show(url.raw)} as a transport`);
  for (const file of options.values("output", "output-directory", ...(name === "archive" ? ["o"] : [])))
    writePath(scan, file, "git");
  if (options.has("ext-diff", "textconv", "open-files-in-pager", "O", "paginate"))
    scan.note("unknown", `git ${name} runs a configured program`);
  if (options.has("template")) scan.note("gate_files", `git ${name} takes hooks from a template`);
  if (name !== "clone") return;
  for (const setting of options.values("c", "config")) noteSetting(call, setting);
  if (words[0] !== undefined) writePath(scan, words[0], "git clone");
}

function noteProduction({ scan, args }: Call): void {
  const word = findProduction(args);
  if (word !== undefined) scan.note("production", `git is told ${show(word.raw)}`);
}
