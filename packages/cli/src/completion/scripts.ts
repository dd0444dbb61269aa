// Completion scripts for bash, zsh and fish: commands, subcommands and options, as commander knows them, and codes of open tickets.
import type { Command } from "commander";

/** A command's words: its path without `hap`, its summary, and its options with what they mean. */
type Entry = {
  path: string[];
  summary: string;
  /** True if its first argument is a ticket. */
  takesTicket: boolean;
  options: { flag: string; short: string | null; meaning: string; takesValue: boolean }[];
};

const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function isShell(text: string): text is Shell {
  return (shells as readonly string[]).includes(text);
}

export const COMPLETIONS: Record<Shell, (program: Command) => string> = { bash, zsh, fish };

function entriesOf(command: Command, path: string[] = []): Entry[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command).map((option) => ({
    flag: option.long ?? option.flags,
    short: option.short ?? null,
    meaning: option.description,
    takesValue: option.required || option.optional,
  }));
  const takesTicket = command.registeredArguments[0]?.name() === "ID" && path[0] !== "key" && path[0] !== "webhook";
  const own = { path, summary: command.summary() || command.description(), takesTicket, options };
  return [own, ...help.visibleCommands(command).flatMap((sub) => entriesOf(sub, [...path, sub.name()]))];
}

function namesUnder(entries: readonly Entry[], path: readonly string[]): Entry[] {
  return entries.filter((entry) => entry.path.length === path.length + 1 && path.every((name, at) => entry.path[at] === name));
}

/** The commands that have commands under them. */
function parentsOf(entries: readonly Entry[]): string[] {
  const parents = entries.filter((entry) => entry.path.length === 1 && namesUnder(entries, entry.path).length > 0);
  return parents.map(({ path }) => path[0] as string);
}

function bash(program: Command): string {
  const entries = entriesOf(program);
  const cases = entries.map((entry) => {
    const words = [...namesUnder(entries, entry.path).map(({ path }) => path.at(-1)), ...entry.options.map(({ flag }) => flag)];
    const extra = entry.path[0] === "completion" ? shells : [];
    const codes = entry.takesTicket ? " $(_hap_codes)" : "";
    return `    "${entry.path.join(" ")}") words="${[...extra, ...words].join(" ")}${codes}" ;;`;
  });
  const parents = parentsOf(entries);
  return `# bash completion for hap
_hap_codes() { [[ "$current" == -* ]] || hap completion --codes 2>/dev/null | cut -f1 | tr '\\n' ' '; }
_hap() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *)
        if [ -z "$command" ]; then command="$word"
        else case " ${parents.join(" ")} " in *" $command "*) command="$command $word" ;; esac
        fi ;;
    esac
  done
  case "$previous" in
    --file|--diff-file|--project|--ssh-key) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "$command" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _hap hap
`;
}

function zsh(program: Command): string {
  const entries = entriesOf(program);
  const quoted = (text: string) => text.replaceAll("'", "'\\''").replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", "\\:");
  const list = (path: readonly string[]) =>
    namesUnder(entries, path)
      .map(({ path: names, summary }) => `'${names.at(-1)}:${quoted(firstSentence(summary))}'`)
      .join(" ");
  const cases = entries
    .filter((entry) => entry.path.length > 0)
    .map((entry) => {
      const specs = entry.options.map(
        ({ flag, meaning, takesValue }) =>
          `'${flag}${takesValue ? "=" : ""}[${quoted(meaning)}]${takesValue ? ":value:_files" : ""}'`,
      );
      const subs = list(entry.path);
      const other = entry.takesTicket ? "'1:ticket:_hap_codes' '*:argument:'" : "'*:argument:'";
      const first = entry.path[0] === "completion" ? "'1:shell:(bash zsh fish)'" : other;
      const body =
        subs === "" ? `_arguments ${[...specs, first].join(" ")}` : `local -a subs=(${subs}); _describe subcommand subs`;
      return `    '${entry.path.join(" ")}') ${body} ;;`;
    });
  const parents = parentsOf(entries).join(" ");
  return `#compdef hap
# zsh completion for hap
_hap_codes() {
  local -a codes=(\${(f)"$(hap completion --codes 2>/dev/null | sed 's/:/ /g; s/\\t/:/')"})
  _describe ticket codes
}
_hap() {
  local -a commands=(${list([])})
  local name="\${words[2]}"
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  if [[ " ${parents} " == *" $name "* && CURRENT -gt 3 ]]; then name="$name \${words[3]}"; fi
  shift words; (( CURRENT-- ))
  case "$name" in
${cases.join("\n")}
  esac
}
compdef _hap hap
`;
}

function fish(program: Command): string {
  const entries = entriesOf(program);
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = entries.flatMap((entry) => {
    const seen = entry.path.map((name) => `__fish_seen_subcommand_from ${name}`).join("; and ");
    const when = entry.path.length === 0 ? "__fish_use_subcommand" : seen;
    const subs = namesUnder(entries, entry.path).map(
      ({ path, summary }) => `complete -c hap -f -n ${quoted(when)} -a ${path.at(-1)} -d ${quoted(firstSentence(summary))}`,
    );
    const options = entry.options.map(({ flag, short, meaning, takesValue }) => {
      const letter = short === null ? "" : ` -s ${short.slice(1)}`;
      return `complete -c hap -n ${quoted(when)} -l ${flag.replace(/^--/, "")}${letter}${takesValue ? " -r" : ""} -d ${quoted(meaning)}`;
    });
    const codes = entry.takesTicket ? [`complete -c hap -f -n ${quoted(when)} -a '(hap completion --codes 2>/dev/null)'`] : [];
    return [...subs, ...codes, ...options];
  });
  return `# fish completion for hap\n${lines.join("\n")}\ncomplete -c hap -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n`;
}

function firstSentence(text: string): string {
  return (text.split(/(?<=\.) |\n/)[0] as string).replace(/\.$/, "");
}
