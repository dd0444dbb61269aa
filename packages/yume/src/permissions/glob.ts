// Globs as regular expressions over paths written with `/`: `*`, `?`, `**`, `[a-z]`, `{a,b}`. Pure, the same on every system.

/** The expression of a glob; a glob that cannot be read matches its own text. */
export function globToRegExp(glob: string): RegExp {
  let source = "";
  let braces = 0;
  for (let index = 0; index < glob.length; index++) {
    const character = glob[index] as string;
    if (character === "*") {
      if (glob[index + 1] === "*") {
        const whole = (index === 0 || glob[index - 1] === "/") && (glob[index + 2] === "/" || glob[index + 2] === undefined);
        index++;
        if (whole && glob[index + 1] === "/") {
          index++;
          source += "(?:[^/]+/)*";
        } else source += "[\\s\\S]*";
      } else source += "[^/]*";
    } else if (character === "?") source += "[^/]";
    else if (character === "[") {
      const end = glob.indexOf("]", index + 2);
      if (end < 0) source += "\\[";
      else {
        const set = glob
          .slice(index + 1, end)
          .replace(/^!/, "^")
          .replaceAll("\\", "\\\\")
          .replaceAll("[", "\\[");
        source += `[${set}]`;
        index = end;
      }
    } else if (character === "{") {
      braces++;
      source += "(?:";
    } else if (character === "}" && braces > 0) {
      braces--;
      source += ")";
    } else if (character === "," && braces > 0) source += "|";
    else source += character.replace(/[.*+?^${}()|[\]\\/]/, "\\$&");
  }
  try {
    return new RegExp(`^${source}${")".repeat(braces)}$`);
  } catch {
    return new RegExp(`^${glob.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$`);
  }
}
