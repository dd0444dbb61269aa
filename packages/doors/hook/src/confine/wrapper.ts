// The text that stands in a command's place: `hap run --confined` with the command as one quoted word. Programs are named by their
// whole paths, and beside it only words of the shell itself are used: a PATH that leads into the project decides nothing. Pure.

export type WrapperParts = {
  node: string;
  hap: string;
  session: string;
  project: string;
  /** The file in which `hap run` leaves the folder where the command ended. */
  cwdFile: string;
};

/** The command, confined. */
export function wrapCommand(command: string, { node, hap, session, project, cwdFile }: WrapperParts): string {
  // The single-file `hap` is its own Node.
  const program = node === hap ? [hap] : [node, hap];
  const run = [...program, "run", "--confined", "--session", session, "--project", project, "--", command]
    .map(quoteWord)
    .join(" ");
  if (!/\b(?:cd|pushd|popd)\b/.test(command)) return run;
  // The host goes on where the command ended, as it would without us.
  return `${run}; hap_code=$?; IFS= read -r hap_cwd < ${quoteWord(cwdFile)} && cd -- "$hap_cwd"; (exit $hap_code)`;
}

function quoteWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
