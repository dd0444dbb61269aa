// The parts of a presentation (D23) and what it is made from. `origin` says whose words a block holds.
import type { Tier } from "./constants.ts";
import type { DiffFile } from "./diff.ts";
import type { Ticket } from "./schema/ticket.ts";

/** Whose words a block holds: the runtime's own, or the agent's, which faces mark as such. */
type Origin = "runtime" | "agent";

/** One sentence of the classifier, and the part of the command that it is about, where that can be found in it. */
export type Cause = { text: string; part: string | null };

/** One block. `text` is shown whole. */
export type Block =
  | { type: "plain"; origin: "runtime"; text: string }
  | { type: "warning"; origin: "runtime"; text: string }
  | { type: "severity"; origin: "runtime"; tier: Tier; risk: number | null; claimed: number | null }
  | { type: "effect"; origin: "runtime"; effect: string; tier: Tier; text: string; causes: Cause[] }
  | { type: "fact"; origin: Origin; label: string; value: string }
  | { type: "text" | "command" | "content" | "json"; origin: "agent"; label: string; text: string }
  | { type: "files"; origin: "agent"; files: DiffFile[] }
  | { type: "diff"; origin: "agent"; label: string; text: string; files: DiffFile[] }
  | { type: "question"; origin: "agent"; ask: Ticket["ask"] };

/** What will happen; why it is risky; what happens without an answer; the rest of the action; what proves it. */
export const SECTIONS = ["happens", "risks", "otherwise", "whole", "evidence"] as const;
export type SectionName = (typeof SECTIONS)[number];

/** One list of blocks. */
export type PresentationOne = { v: 1; ticket_id: string; blocks: Block[] };
/** Sections in the order of the decision; faces may fold `evidence`, and nothing else. */
export type PresentationTwo = { v: 2; ticket_id: string } & Record<SectionName, Block[]>;
/** The whole presentation; its canonical JSON is what `presentation_hash` covers. */
export type Presentation = PresentationOne | PresentationTwo;

/** What the presentation is made from. */
export type Presentable = Pick<
  Ticket,
  | "id"
  | "from"
  | "intent"
  | "artifact"
  | "ask"
  | "risk"
  | "risk_claimed"
  | "risk_factors"
  | "tier"
  | "effects"
  | "findings"
  | "presentation"
  | "priority"
  | "project"
  | "session"
> & { lease: Pick<Ticket["lease"], "ttl_seconds" | "on_timeout"> };
