// Every command that a command line names, as words, wrapped and substituted ones too: what a denial is held against (D43).
import type { ShellContext } from "./classification.ts";
import { Scan } from "./grammar/scan.ts";
import { walkCall, walkText } from "./grammar/walk.ts";

const LONGEST = 65_536;

/** Every command that the grammar finds, in whatever it is wrapped. Never throws: what cannot be read names nothing. */
export function namedCommands(command: string, context: ShellContext): readonly (readonly string[])[] {
  if (command.length > LONGEST) return [];
  try {
    const scan = new Scan(command, context, { text: walkText, call: walkCall });
    walkText(scan, command);
    return scan.calls;
  } catch {
    return [];
  }
}
