// The presentation (D23) in a terminal: every block, in order, whole; the agent's words behind a bar.
import { type Block, present, showInvisible, type Ticket } from "@hap/protocol";
import { pad } from "../terminal/width.ts";
import { wrapLines } from "../terminal/wrap.ts";
import { oneLine } from "./agent-text.ts";
import { diffTint } from "./diff-tint.ts";
import { agentRows, inner, mark, ownRows, type Style } from "./gutter.ts";
import { answerRules, questionLines } from "./question.ts";

/** Rows of the whole presentation. */
export function presentationRows(ticket: Ticket, style: Style): string[] {
  const groups = groupFacts(present(ticket).blocks);
  return groups.flatMap((group, index) => {
    const rows = Array.isArray(group) ? factRows(group, style) : blockRows(group, style);
    return index === 0 || startsQuietly(group, groups[index - 1]) ? rows : ["", ...rows];
  });
}

type Fact = Extract<Block, { type: "fact" }>;
type Group = Exclude<Block, Fact> | Fact[];

/** Facts that follow each other stand in one list. */
function groupFacts(blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.type !== "fact") groups.push(block);
    else if (Array.isArray(last)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

/** Warnings stand right under each other and under the sentence that they belong to. */
function startsQuietly(group: Group, before: Group | undefined): boolean {
  const isWarning = !Array.isArray(group) && group.type === "warning";
  return isWarning && before !== undefined && !Array.isArray(before) && (before.type === "warning" || before.type === "plain");
}

function factRows(facts: readonly Fact[], style: Style): string[] {
  const labels = Math.max(...facts.map(({ label }) => label.length));
  const width = inner(style.width);
  return facts.flatMap(({ label, value, origin }) =>
    wrapLines(oneLine(value), width === null ? null : width - labels - 2).map((row, index) => {
      const name = pad(index === 0 ? label : "", labels);
      return `${mark(origin, style.paint)}${style.paint.dim(name)}  ${row}`;
    }),
  );
}

function blockRows(block: Exclude<Block, Fact>, style: Style): string[] {
  const { paint } = style;
  switch (block.type) {
    case "plain":
      return ownRows(block.text, style).map((row) => paint.bold(row));
    case "warning":
      return ownRows(`! ${block.text}`, style).map((row) => paint.yellow(row));
    case "question":
      if (block.ask.type === "approval") return [];
      return [
        ...heading("Question", style),
        ...agentRows(questionLines(block.ask).join("\n"), style),
        ...ownRows(answerRules(block.ask), style),
      ];
    case "json":
      return [...heading(block.label, style), ...agentRows(showInvisible(readable(block.text)), style)];
    case "diff":
      return [...heading(block.label, style), ...agentRows(shownText(block.text), style, diffTint(paint))];
    case "command":
      return [...heading(block.label, style), ...agentRows(shownText(block.text), style, () => paint.bold)];
    case "text":
    case "content":
      return [...heading(block.label, style), ...agentRows(shownText(block.text), style)];
  }
}

function heading(label: string, { paint }: Style): string[] {
  return [mark("agent", paint) + paint.dim(label)];
}

/** Canonical JSON over several lines, with letters where it has escapes. */
function readable(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

/** The final line break of a file is not a line of its own. */
function shownText(text: string): string {
  return showInvisible(text.replace(/\n$/, ""));
}
