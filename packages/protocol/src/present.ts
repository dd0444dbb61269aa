// What a person is shown, as data (D23): one pure, versioned function; every face renders its blocks in this order.
// Nothing in it changes with time or names a person, so its hash can be signed and checked for ever. A ticket keeps the
// version that it was opened with.
import { type Block, type Presentable, type Presentation, SECTIONS, type SectionName } from "./block.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { presentOne } from "./present-1.ts";
import { presentTwo } from "./present-2.ts";

/** The version that new tickets are opened with; a change of what is returned raises it. */
export const PRESENTATION_VERSION = 2;

/** Present a ticket, by the version that it was opened with. */
export function present(ticket: Presentable): Presentation {
  return (ticket.presentation ?? 1) === 1 ? presentOne(ticket) : presentTwo(ticket);
}

/** The text whose hash is `presentation_hash`. */
export function presentationText(presentation: Presentation): string {
  return canonicalJson(presentation as unknown as Json);
}

/** A run of blocks with the question that it answers; version 1 has a single one, `all`. */
export type Section = { name: SectionName | "all"; blocks: readonly Block[] };

/** The sections in order, empty ones left out. */
export function sectionsOf(presentation: Presentation): Section[] {
  if (presentation.v === 1) return [{ name: "all", blocks: presentation.blocks }];
  return SECTIONS.map((name) => ({ name, blocks: presentation[name] })).filter(({ blocks }) => blocks.length > 0);
}

/** Every block, in order. */
export function blocksOf(presentation: Presentation): Block[] {
  return sectionsOf(presentation).flatMap(({ blocks }) => blocks);
}
