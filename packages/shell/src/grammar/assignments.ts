// Variables whose value decides what a program loads, runs or talks to.
import { show } from "../show.ts";
import type { Argument } from "./argument.ts";
import { isProduction } from "./production-words.ts";
import type { Scan } from "./scan.ts";

/** Variables whose value is run as a command. */
const COMMANDS =
  /^(?:GIT_(?:SSH_COMMAND|SSH|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|SSH_ASKPASS|SUDO_ASKPASS|PROMPT_COMMAND|RSYNC_RSH)$/;
/** Variables that change what a program loads or how the shell reads its text. */
const LOADERS =
  /^(?:LD_.*|DYLD_.*|GIT_.*|BASH_.*|ENV|IFS|PATH|PS[0-4]|SHELLOPTS|BASHOPTS|NODE_OPTIONS|NODE_PATH|PYTHON.*|PERL5.*|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|CLASSPATH|RIPGREP_CONFIG_PATH|CDPATH)$/;
/** Variables that lead the gate itself elsewhere. */
const GATE = /^(?:HAP|CLAUDE|CODEX)_/;
/** Variables of git that name no program and no file. */
const PLAIN_GIT =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|LFS_SKIP_SMUDGE)$/;
/** `production` is a build mode here, no place. */
const BUILD_MODES = /^(?:NODE_ENV|BABEL_ENV|MODE)$/;

/** Notes what setting a variable does to the commands that follow. */
export function noteAssignment(scan: Scan, name: string, value: Argument | undefined): void {
  const shown = `${name}=${show(value?.raw ?? "...")}`;
  // Arithmetic and subscripts evaluate a variable's text, commands in it included.
  if (value?.certainty === "exact" && /\$\(|`/.test(value.text))
    scan.note("opaque", `${shown} holds text that can be run as a command`);
  if (name.startsWith("GIT_") && !(PLAIN_GIT.test(name) || /^(?:cat|less|true|:|)$/.test(value?.text ?? "-")))
    scan.note("gate_files", `${shown} changes what git runs, reads or writes`);
  if (GATE.test(name)) scan.note("gate_files", `${shown} changes what the gate or its host reads`);
  if (COMMANDS.test(name) && value !== undefined) {
    scan.note("unknown", `${shown} is run as a command by another program`);
    scan.runText(value.text, { kind: "inherited" });
  } else if (LOADERS.test(name)) scan.note("unknown", `${shown} changes what programs load or how the text is read`);
  if (value !== undefined && !BUILD_MODES.test(name) && isProduction(value.text))
    scan.note("production", `${shown} names production`);
}
