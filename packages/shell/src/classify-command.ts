// The whole classifier: harmless by the table, otherwise the effects that the shell grammar shows. It never throws, and what it
// cannot read in bounded time and size is opaque: a broken reader is a closed gate.
import { type Classification, conclude, type ShellContext } from "./classification.ts";
import { Scan } from "./grammar/scan.ts";
import { walkCall, walkText } from "./grammar/walk.ts";
import { proveCommand } from "./proof.ts";
import { show } from "./show.ts";

const LONGEST = 65_536;
/** Characters that are not seen, or that move what is seen; a line end of another system is only odd. */
const INVISIBLE = /[^\P{C}\t\n\r]|\r(?!\n)|[\p{Zl}\p{Zp}]/u;

/** Names the effects of a shell command. `harmless` only for what is shown to be so; everything else is `ask`. */
export function classifyCommand(command: string, context: ShellContext): Classification {
  if (command.length > LONGEST)
    return conclude(false, [{ effect: "opaque", what: `the command is longer than ${LONGEST} characters` }]);
  try {
    return proveCommand(command, context) ?? classifyByGrammar(command, context);
  } catch (error) {
    const what = `the command could not be read: ${show(error instanceof Error ? error.message : "unknown error")}`;
    return conclude(false, [{ effect: "opaque", what }]);
  }
}

function classifyByGrammar(command: string, context: ShellContext): Classification {
  const scan = new Scan(command, context, { text: walkText, call: walkCall });
  const invisible = INVISIBLE.exec(command)?.[0];
  if (invisible !== undefined) scan.note("opaque", `the command holds a character that is not seen: ${show(invisible)}`);
  if (command.includes("\r\n")) scan.note("unknown", "the lines end as on another system, which changes words");
  if (context.dialect === "unknown") scan.note("unknown", "the shell that will read this is not known");
  walkText(scan, command);
  if (scan.findings.length === 0) scan.note("unknown", "nothing in the command is in the table of harmless commands");
  return conclude(false, scan.findings);
}
