// A shell command as the simple commands in it, for rules only. `plain` is true when nothing in it can hide another command:
// no substitution, no redirection, no grouping. When in doubt it is not plain.

/** The simple commands of a text. */
export function splitCommand(command: string): { parts: string[]; plain: boolean } {
  const parts: string[] = [];
  let plain = true;
  let current = "";
  let quote = "";
  for (let index = 0; index < command.length; index++) {
    const character = command[index] as string;
    if (quote === "'") {
      if (character === "'") quote = "";
      current += character;
    } else if (character === "\\") {
      // An escape may hide anything that follows; leave it to whoever parses for real.
      plain = false;
      current += character + (command[++index] ?? "");
    } else if (character === "$" || character === "`") {
      plain = false;
      current += character;
    } else if (quote === '"') {
      if (character === '"') quote = "";
      current += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      current += character;
    } else if (";&|\n".includes(character)) {
      if (current.trim() !== "") parts.push(current.trim());
      current = "";
    } else {
      if ("<>(){}!#\r".includes(character)) plain = false;
      current += character;
    }
  }
  if (current.trim() !== "") parts.push(current.trim());
  return { parts, plain: plain && quote === "" && parts.length > 0 };
}
