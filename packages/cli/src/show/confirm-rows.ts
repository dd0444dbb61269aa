// What a person reads before they confirm: the plain sentence, every warning, and what would be done, whole.
import { type Block, blocksOf, present, showInvisible, type Ticket } from "@hap/protocol";
import { paintTier } from "../terminal/paint.ts";
import { oneLine } from "./agent-text.ts";
import { agentRows, ownRows, type Style } from "./gutter.ts";
import { questionLines } from "./question.ts";

/** Rows for the terminal. `also` are lines of ours, such as the answer that would be given. */
export function confirmRows(style: Style, ticket: Ticket, also: readonly string[] = []): string[] {
  const rows = blocksOf(present(ticket)).flatMap((block) => rowsOf(block, style));
  return [style.paint.bold(`Critical: ${ticket.id}`), ...rows, ...also.flatMap((line) => ownRows(line, style))];
}

function rowsOf(block: Block, style: Style): string[] {
  const { paint } = style;
  switch (block.type) {
    case "plain":
      return ownRows(block.text, style);
    case "warning":
      return ownRows(`! ${block.text}`, style).map(paint.yellow);
    case "effect":
      return [
        ...ownRows(`! ${block.text}`, style).map((row) => paintTier(paint, block.tier, row)),
        ...block.causes.flatMap(({ text }) => ownRows(`    ${showInvisible(text)}`, style)),
      ];
    case "fact":
      return block.label === "Environment" || block.label === "Folder"
        ? agentRows(`${block.label}: ${oneLine(block.value)}`, style)
        : [];
    case "text":
      return agentRows(oneLine(block.text), style);
    case "command":
      return agentRows(showInvisible(block.text), style, () => paint.bold);
    case "content":
      return ownRows(`It brings ${block.text.split("\n").length} lines of content.`, style);
    case "diff":
      return block.files.flatMap(({ path, added, removed }) => agentRows(`${oneLine(path)}  +${added} -${removed}`, style));
    case "question":
      return block.ask.type === "approval" ? [] : agentRows(questionLines(block.ask).join("\n"), style);
    default:
      return [];
  }
}
