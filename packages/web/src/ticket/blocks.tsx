// The sections of `present()`, in their order, whole (D23); only the evidence folds. What an agent wrote carries its mark.
import { type Block, blocksOf, present, type Section, sectionsOf, type Ticket } from "@hap/protocol";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { t } from "../words/words.ts";
import { BlockView, type FactBlock, Facts } from "./block-view.tsx";
import { CausesContext } from "./command-view.tsx";
import type { Cause } from "./marked-parts.ts";
import { useParts } from "./reading.ts";

type Part = { type: "facts"; facts: FactBlock[] } | { type: "block"; block: Exclude<Block, FactBlock> };

/** Facts that follow each other are one table. */
function partsOf(blocks: readonly Block[]): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (block.type !== "fact") parts.push({ type: "block", block });
    else if (last?.type === "facts") last.facts.push(block);
    else parts.push({ type: "facts", facts: [block] });
  }
  return parts;
}

type Props = {
  ticket: Ticket;
  /** Where a question is answered. */
  answer?: ComponentChildren;
  /** Stands beside what happens without an answer: the time that is left. */
  countdown?: ComponentChildren;
  /** Further evidence, folded with the presentation's own. */
  evidence?: ComponentChildren;
};

export function Presentation({ ticket, answer = null, countdown = null, evidence = null }: Props) {
  const sections = useMemo(() => sectionsOf(present(ticket)), [ticket.id, ticket.ticket_hash]);
  const names = sections.flatMap(({ name, blocks }) => blocks.flatMap((block, at) => readPart(name, block, at) ?? []));
  useParts("blocks", names);
  const causes = useMemo(() => causesOf(sections.flatMap(({ blocks }) => blocks)), [sections]);
  const hasEvidence = sections.some(({ name }) => name === "evidence");
  return (
    <CausesContext.Provider value={causes}>
      {sections.map((section) =>
        section.name === "evidence" ? (
          <Evidence key="evidence" section={section} more={evidence} />
        ) : (
          <SectionView key={section.name} section={section} answer={answer} countdown={countdown} />
        ),
      )}
      {!hasEvidence && <Evidence section={null} more={evidence} />}
    </CausesContext.Provider>
  );
}

/** The words of the command that its effects come from. */
export function causesOf(blocks: readonly Block[]): Cause[] {
  return blocks.flatMap((block) =>
    block.type !== "effect" || block.tier === "routine"
      ? []
      : block.causes.flatMap(({ part }) =>
          part === null ? [] : [{ part, tier: block.tier as Cause["tier"], title: block.text }],
        ),
  );
}

/** How many pieces of a presentation name the parts that must be read: its blocks, and its diff. */
export function readingOwners(ticket: Ticket): number {
  return blocksOf(present(ticket)).some(({ type }) => type === "diff") ? 2 : 1;
}

/** The parts that must have been in view before a yes. A diff names its own, hunk by hunk. */
function readPart(section: Section["name"], block: Block, at: number): string | null {
  if (section === "evidence") return null;
  return ["command", "content", "json", "question", "files"].includes(block.type) ? `${section}/${at}` : null;
}

type SectionProps = { section: Section } & Required<Pick<Props, "answer" | "countdown">>;

function SectionView({ section, answer, countdown }: SectionProps) {
  const file = section.blocks.find((block) => block.type === "fact" && block.label === "File") as FactBlock | undefined;
  let at = -1;
  const drawn = partsOf(section.blocks).map((part) => {
    if (part.type === "facts") {
      at += part.facts.length;
      return <Facts facts={part.facts} key={at} />;
    }
    at += 1;
    const name = readPart(section.name, part.block, at);
    return <BlockView block={part.block} path={file?.value ?? ""} part={name} answer={answer} key={at} />;
  });
  const title = titleOf(section);
  return (
    // What is shown here is what is signed, so it stays in the words of the protocol.
    <section class={`section section-${section.name}`} aria-label={title ?? undefined}>
      {title !== null && <h2 class="section-title">{title}</h2>}
      <div class="section-body" translate={false}>
        {drawn}
      </div>
      {section.name === "otherwise" && countdown}
    </section>
  );
}

function titleOf({ name, blocks }: Section): string | null {
  switch (name) {
    case "risks": {
      const risky = blocks.some((block) => block.type === "effect" || block.type === "warning");
      return t(risky ? "ticket.section.risks" : "ticket.section.found");
    }
    case "otherwise":
      return t("ticket.section.otherwise");
    case "whole":
      return t("ticket.section.whole");
    default:
      return null;
  }
}

function Evidence({ section, more }: { section: Section | null; more: ComponentChildren }) {
  if (section === null && more === null) return null;
  return (
    <details class="evidence">
      <summary>
        {t("ticket.section.evidence")} <span class="quiet-words">{t("ticket.section.evidenceAbout")}</span>
      </summary>
      {section !== null && (
        <div translate={false}>
          {partsOf(section.blocks).map((part, at) => (part.type === "facts" ? <Facts facts={part.facts} key={at} /> : null))}
        </div>
      )}
      {more}
    </details>
  );
}
