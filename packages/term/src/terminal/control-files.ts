// The files in a terminal's control folder: what the shell reads at its start, and the command of the moment.
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { MARK_CODE } from "./find-marks.ts";

/** Writes the start-up files. The folder lies outside what the agent may write, where there is a sandbox. */
export function writeControlFiles(folder: string, inside: string, nonce: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, "init"), initScript(inside, nonce));
  writeFileSync(join(folder, "rc"), rcScript(nonce));
  writeFileSync(join(folder, "command"), "");
}

/** The file that the shell reads its next command from. It stays open: emptying it first would make the disk wait. */
export class CommandFile {
  readonly #file: number;
  #length = 0;

  constructor(folder: string) {
    this.#file = openSync(join(folder, "command"), "r+");
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.#file, bytes, written, bytes.length - written, written);
    if (bytes.length < this.#length) ftruncateSync(this.#file, bytes.length);
    this.#length = bytes.length;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/**
 * The shell's parent: starts a shell again in the same place when one ends, so that background jobs live on. One that was
 * killed did not give the terminal back, so that only a new terminal helps: then the parent ends too.
 */
function initScript(inside: string, nonce: string): string {
  return `exec 3>&2 2>/dev/null
status=0
while [ "$status" -le 128 ]; do
  bash --noprofile --noediting --rcfile '${inside}/rc' -i 2>&3 3>&-
  status=$?
  printf '\\033]${MARK_CODE};${nonce};died;%d;${nonce}\\a' "$status"
done
exit "$status"
`;
}

/**
 * PROMPT_COMMAND marks the end of every command; \`jobs\` takes note of finished jobs, so that the shell does not print them. Marks go to
 * the terminal itself, since a command may send the shell's output elsewhere (\`exec >/dev/null\`), and \`__term_keep\` takes the prompt
 * back from a command that set one of its own.
 */
function rcScript(nonce: string): string {
  return `stty -echo
set +H
unset HISTFILE
PS1='' PS2='' PS4='+ '
__term_prompt() {
  local status=$?
  PS1='' PS2=''
  jobs >/dev/null 2>&1
  __term_mark "prompt;$status;$PWD"
  return "$status"
}
__term_mark() {
  { printf '\\033]${MARK_CODE};${nonce};%s;${nonce}\\a' "$1" >/dev/tty; } 2>/dev/null ||
    printf '\\033]${MARK_CODE};${nonce};%s;${nonce}\\a' "$1"
}
__term_go() {
  __term_mark "go;$2"
  return "$1"
}
__term_keep() {
  unset PROMPT_COMMAND
  PROMPT_COMMAND=__term_prompt
  return "$1"
}
PROMPT_COMMAND=__term_prompt
`;
}
