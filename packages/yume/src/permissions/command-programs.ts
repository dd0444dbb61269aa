// What programs do with their arguments, as far as rules about commands need to know it. Pure.

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** True for programs that read shell text. */
export const isShell = (name: string): boolean =>
  /^(?:(?:ba|da|z|k|a|fi|tc|c|rba|mk|pdk|ya|lk|posh|o)?sh|nu|xonsh|elvish)$/.test(name);

/** Programs whose arguments are, or hold, another command. */
export const WRAPPERS = names(`
  env nohup setsid time command builtin exec nice ionice chrt taskset stdbuf timeout gtimeout watch strace ltrace flock script
  chronic caffeinate unbuffer busybox toybox chroot nsenter unshare setpriv bwrap firejail sudo doas su runuser pkexec gosu xargs
  parallel find fd fdfind entr systemd-run systemd-inhibit ssh rlwrap proxychains proxychains4 torsocks xvfb-run dbus-run-session
  dbus-launch coproc noglob nocorrect at batch expect npx bunx prlimit fakeroot proot catchsegv valgrind perf numactl cpulimit
  faketime eatmydata setarch linux32 linux64 i386 x86_64 tmux screen hyperfine ts direnv`);

/** Programs that read an argument as shell text. */
export const READS_TEXT = names(
  "eval trap alias watch script flock su ssh env xargs parallel find entr tmux screen hyperfine npx bunx vim vi nvim ex crontab at make",
);

/** Programs that run what their input says, later or now. */
export const runsInput = (name: string, args: readonly string[]): boolean =>
  /^(?:at|batch|crontab)$/.test(name) || (/^g?make$/.test(name) && args.includes("-"));

/** Programs that append words from their input to the command that they run. */
export const APPENDS_INPUT = names("xargs parallel");

/** Programs for which arguments are data: nothing in them is run. */
const DATA = names(`
  echo printf grep egrep fgrep zgrep rg ag ack ls dir cat tac head tail wc cut tr sort uniq diff cmp comm which type whereis man info
  help file stat touch mkdir rmdir rm cp mv ln chmod chown chgrp test [ true false : sleep date basename dirname realpath readlink
  seq jq yq tee cd pushd popd pwd export unset read less more tree du df gh curl wget column fold fmt nl od xxd hexdump strings
  md5sum sha1sum sha256sum sha512sum cksum kill pkill pgrep ps`);
const DATA_OF_GIT = names("commit tag notes log grep show diff status merge stash blame shortlog branch add");

/** Interpreters that run code given as an argument, where only words can be looked for. */
export const isInterpreter = (name: string): boolean =>
  /^(?:python|pypy|node|deno|bun|perl|ruby|php|lua|osascript|awk|gawk|mawk|expect|tclsh|powershell|pwsh)[\d.]*$/.test(name);

/** A program's name without its folder, as file systems may fold it. */
export function programName(text: string): string {
  return text
    .slice(text.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/\.exe$/, "");
}

/** True when nothing in the arguments of this call is run. */
export function argumentsAreData(words: readonly string[]): boolean {
  const name = programName(words[0] ?? "");
  if (name === "git") {
    // A setting may name a program.
    if (words.some((word) => /^(?:-c$|--config-env|--exec-path)/.test(word))) return false;
    const sub = words.slice(1).find((word, index, all) => !word.startsWith("-") && !/^-[cC]$/.test(all[index - 1] ?? ""));
    return sub !== undefined && DATA_OF_GIT.has(sub);
  }
  // GNU sed runs what its command `e` names.
  if (name === "sed") return !words.some((word) => /(?:^|[;{}\d/$])\s*e(?:\s|$)/.test(word));
  return DATA.has(name);
}
