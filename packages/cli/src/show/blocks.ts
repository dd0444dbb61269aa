// The presentation (D23) in a terminal: every block, in order, whole; the agent's words behind a bar.
import { type Block, present, type Section, sectionsOf, showInvisible, type Ticket } from "@hap/protocol";
import { paintTier } from "../terminal/paint.ts";
import { pad } from "../terminal/width.ts";
import { wrapLines } from "../terminal/wrap.ts";
import { oneLine } from "./agent-text.ts";
import { diffTint } from "./diff-tint.ts";
import { agentRows, inner, mark, ownRows, type Style } from "./gutter.ts";
import { answerRules, questionLines } from "./question.ts";
import { riskNumber } from "./risk-words.ts";

/** What each section answers; the first needs no title. */
const titles: Record<Section["name"], string | null> = {
  all: null,
  happens: null,
  risks: "Why it is risky",
  otherwise: "If you do nothing",
  whole: "The whole action",
  evidence: "Evidence",
};

/** Rows of a presentation in two parts: what a yes is about, and the evidence, which need not be read first. */
export function presentationParts(ticket: Ticket, style: Style): { act: string[]; evidence: string[] } {
  const sections = sectionsOf(present(ticket));
  const rows = (wanted: (name: Section["name"]) => boolean) =>
    sections
      .filter(({ name }) => wanted(name))
      .flatMap((section, index) => [...(index === 0 ? [] : [""]), ...sectionRows(section, style)]);
  return { act: rows((name) => name !== "evidence"), evidence: rows((name) => name === "evidence") };
}

/** Rows of the whole presentation. */
export function presentationRows(ticket: Ticket, style: Style): string[] {
  const { act, evidence } = presentationParts(ticket, style);
  return evidence.length === 0 ? act : [...act, "", ...evidence];
}

function sectionRows({ name, blocks }: Section, style: Style): string[] {
  const title = titles[name];
  const groups = groupFacts(blocks);
  const rows = groups.flatMap((group, index) => {
    const drawn = Array.isArray(group) ? factRows(group, style) : blockRows(group, style);
    return index === 0 || startsQuietly(group, groups[index - 1]) ? drawn : ["", ...drawn];
  });
  return title === null ? rows : [...ownRows(title, style).map(style.paint.bold), ...rows];
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

const close = ["plain", "warning", "severity", "effect"];

/** Reasons stand right under each other and under the sentence that they belong to. */
function startsQuietly(group: Group, before: Group | undefined): boolean {
  if (Array.isArray(group) || before === undefined || Array.isArray(before)) return false;
  return close.includes(group.type) && group.type !== "plain" ? close.includes(before.type) : group.type === "command";
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
    case "severity": {
      const number = block.risk === null ? "" : paint.dim(`  risk ${riskNumber(block.risk)}`);
      const claimed = block.claimed === null ? "" : paint.dim(`, the agent claimed ${block.claimed}`);
      return [`  ${paintTier(paint, block.tier, block.tier)}${number}${claimed}`];
    }
    case "effect":
      return [
        ...ownRows(`! ${block.text}`, style).map((row) => paintTier(paint, block.tier, row)),
        ...block.causes.flatMap(({ text }) => ownRows(`    ${showInvisible(text)}`, style)),
      ];
    case "files":
      return block.files.flatMap(({ path, old_path: from, added, removed }) =>
        agentRows(
          `${from === undefined ? "" : `${oneLine(from)} -> `}${oneLine(path === "" ? "(no name)" : path)}  +${added} -${removed}`,
          style,
        ),
      );
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
