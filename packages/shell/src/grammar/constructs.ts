// Constructs that matter by themselves: a variable that holds a secret, and forms that evaluate text a second time.
import type { ParameterExpansionPart, SimpleExpansionPart, SyntaxNode, Word } from "unbash";
import { show } from "../show.ts";
import type { Scan } from "./scan.ts";

const SECRET_NAME = /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIAL)/i;

/** Whether a variable's name says that it holds a secret. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Notes what a node of the tree does beyond its parts. */
export function noteConstruct(scan: Scan, node: SyntaxNode): void {
  switch (node.type) {
    case "SimpleExpansion":
    case "ParameterExpansion":
      noteExpansion(scan, node);
      break;
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticFor":
      scan.note("unknown", "the shell calculates, and calculation evaluates the text of variables");
      break;
    case "TestBinary":
      for (const word of [node.left, node.right]) noteOperand(scan, word);
      break;
    case "TestUnary":
      noteOperand(scan, node.operand);
      break;
    case "ExtendedGlob":
      scan.note("opaque", `${show(node.text)} is a pattern in one shell and runs commands in another`);
      break;
    default:
      break;
  }
}

function noteExpansion(scan: Scan, part: SimpleExpansionPart | ParameterExpansionPart): void {
  const name = part.type === "SimpleExpansion" ? part.text.slice(1) : part.parameter;
  if (isSecretVariable(name)) scan.note("credentials", `${show(part.text)} reads a secret from the environment`);
  if (part.type === "SimpleExpansion") return;
  if (part.index !== undefined && !/^(?:\d+|[@*])$/.test(part.index.text))
    scan.note("unknown", `${show(part.text)} calculates its index`);
  if (part.prefix === "!" || part.operation?.type === "Transform") {
    scan.note("opaque", `${show(part.text)} is decided by another variable's text`);
  }
}

/** `[[ 'a[$(id)]' -eq 0 ]]` runs `id`, quoted or not. */
function noteOperand(scan: Scan, word: Word): void {
  scan.note("unknown", `[[ ]] tests ${show(word.text)}`);
  const quoted = word.parts?.some((part) => part.type === "SingleQuoted" || part.type === "AnsiCQuoted") === true;
  if (quoted && /\$\(|`/.test(word.value)) scan.note("opaque", `[[ ]] can run the command in ${show(word.text)}`);
}
