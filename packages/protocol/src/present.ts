// What a person is shown, as data (D23): one pure, versioned function; every face renders these blocks in this order.
// Nothing in it changes with time or names a person, so that its hash can be signed and checked for ever.
import { canonicalJson, type Json } from "./canonical-json.ts";
import { type DiffFile, filesOfDetails } from "./diff.ts";
import { compareCodePoints } from "./key-order.ts";
import { describeEffect, describeIntent } from "./plain-words.ts";
import { riskWord } from "./risk.ts";
import type { Ticket } from "./schema/ticket.ts";
import { findLookAlikes, hasInvisible, quoteShown } from "./text-safety.ts";

/** The version of this function; a change of what it returns raises it. */
export const PRESENTATION_VERSION = 1;

/** Whose words a block holds: the runtime's own, or the agent's, which faces mark as such. */
export type Origin = "runtime" | "agent";

/** One block. `text` is shown whole. */
export type Block =
  | { type: "plain"; origin: "runtime"; text: string }
  | { type: "warning"; origin: "runtime"; text: string }
  | { type: "fact"; origin: Origin; label: string; value: string }
  | { type: "text" | "command" | "content" | "json"; origin: "agent"; label: string; text: string }
  | { type: "diff"; origin: "agent"; label: string; text: string; files: DiffFile[] }
  | { type: "question"; origin: "agent"; ask: Ticket["ask"] };

/** The whole presentation; its canonical JSON is what `presentation_hash` covers. */
export type Presentation = { v: typeof PRESENTATION_VERSION; ticket_id: string; blocks: Block[] };

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
  | "priority"
  | "project"
  | "session"
> & { lease: Pick<Ticket["lease"], "ttl_seconds" | "on_timeout"> };

/** Present a ticket. */
export function present(ticket: Presentable): Presentation {
  const { intent, artifact } = ticket;
  const files = filesOfDetails(intent.details);
  const blocks: Block[] = [{ type: "plain", origin: "runtime", text: describeIntent(ticket, files) }];
  for (const effect of ticket.effects) {
    const text = describeEffect(effect);
    if (text !== null) blocks.push({ type: "warning", origin: "runtime", text });
  }
  if (artifact.opaque)
    blocks.push({
      type: "warning",
      origin: "runtime",
      text: "HAP does not hold what this hash stands for: you approve something that you cannot see here.",
    });
  blocks.push(
    ...characterWarnings([
      intent.summary,
      intent.details,
      ticket.ask,
      artifact.repo,
      artifact.base_commit,
      ticket.project,
      files,
    ]),
  );
  blocks.push({ type: "text", origin: "agent", label: "Summary", text: intent.summary });
  blocks.push(fact("From", ticket.from, "agent"), fact("Intent", intent.kind, "agent"));
  if (intent.confidence !== null) blocks.push(fact("Confidence", canonicalJson(intent.confidence), "agent"));
  if (artifact.environment !== null) blocks.push(fact("Environment", artifact.environment, "agent"));
  blocks.push(...bodyBlocks(intent.details, files));
  if (ticket.ask.type !== "approval") blocks.push({ type: "question", origin: "agent", ask: ticket.ask });
  blocks.push(...factsOfRuntime(ticket));
  return { v: PRESENTATION_VERSION, ticket_id: ticket.id, blocks };
}

/** The text whose hash is `presentation_hash`. */
export function presentationText(presentation: Presentation): string {
  return canonicalJson(presentation as unknown as Json);
}

function fact(label: string, value: string, origin: Origin = "runtime"): Block {
  return { type: "fact", origin, label, value };
}

const bodyKeys = ["file", "command", "content", "diff"];

/** Details in an order that does not depend on how the agent wrote them; the rest as JSON, whole. */
function bodyBlocks(details: Record<string, unknown>, files: DiffFile[]): Block[] {
  const blocks: Block[] = [];
  const rest = Object.entries(details).filter(([key, value]) => !bodyKeys.includes(key) || typeof value !== "string");
  if (typeof details.file === "string") blocks.push(fact("File", details.file, "agent"));
  if (typeof details.command === "string")
    blocks.push({ type: "command", origin: "agent", label: "Command", text: details.command });
  if (typeof details.content === "string")
    blocks.push({ type: "content", origin: "agent", label: "Content", text: details.content });
  if (typeof details.diff === "string") blocks.push({ type: "diff", origin: "agent", label: "Diff", text: details.diff, files });
  if (rest.length > 0)
    blocks.push({ type: "json", origin: "agent", label: "Details", text: canonicalJson(Object.fromEntries(rest) as Json) });
  return blocks;
}

function factsOfRuntime(ticket: Presentable): Block[] {
  const { artifact, risk_factors: factors } = ticket;
  const claimed =
    ticket.risk_claimed !== null && ticket.risk_claimed !== ticket.risk
      ? `; the agent claimed ${canonicalJson(ticket.risk_claimed)}`
      : "";
  const hashedBy = artifact.opaque ? "agent" : "runtime";
  const blocks = [
    fact("Risk", `${canonicalJson(ticket.risk)} (${riskWord(ticket.risk)})${claimed}`),
    fact(
      "Risk factors",
      `scope ${canonicalJson(factors.scope)}, environment ${canonicalJson(factors.environment)}, confidence ${canonicalJson(factors.confidence)}`,
    ),
    fact("Tier", ticket.tier),
    fact("Effects", ticket.effects.length === 0 ? "none found" : ticket.effects.join(", ")),
    fact("Artifact", artifact.type, "agent"),
    fact("Artifact hash", artifact.diff_hash, hashedBy),
    fact("Bytes hash", artifact.bytes_hash, hashedBy),
  ];
  if (artifact.repo !== null) blocks.push(fact("Repository", artifact.repo, "agent"));
  if (artifact.base_commit !== null) blocks.push(fact("Base commit", artifact.base_commit, "agent"));
  if (ticket.project !== null) blocks.push(fact("Project", ticket.project, "agent"));
  if (ticket.session !== null) blocks.push(fact("Session", ticket.session, "agent"));
  blocks.push(
    fact("Priority", ticket.priority, "agent"),
    fact("Lease", `${ticket.lease.ttl_seconds} seconds, then ${ticket.lease.on_timeout}`, "agent"),
  );
  return blocks;
}

/** Warnings about the characters of what an agent wrote; the paths that a diff quotes are among it, as they read then. */
function characterWarnings(written: readonly unknown[]): Block[] {
  const all: string[] = [];
  collectUnusual(written, all);
  const blocks: Block[] = [];
  if (all.length === 0) return blocks;
  if (all.some(hasInvisible)) {
    blocks.push({
      type: "warning",
      origin: "runtime",
      text: "The agent's words hold invisible or direction-changing characters; they are shown as <U+XXXX>.",
    });
  }
  const alike = [...new Set(all.flatMap(findLookAlikes))].sort(compareCodePoints);
  if (alike.length > 0) {
    const some = alike.slice(0, 5).map((word) => quoteShown(word, 60));
    const more = alike.length > some.length ? ` and ${alike.length - some.length} more` : "";
    blocks.push({
      type: "warning",
      origin: "runtime",
      text: `Some words mix letters of different alphabets that look alike: ${some.join(", ")}${more}.`,
    });
  }
  return blocks;
}

/** Neither hidden nor like any other: printable ASCII, tab and newline. */
const unusual = /[^\t\n -~]/;

/** Every text and every key with a character that could be worth a warning. */
function collectUnusual(value: unknown, found: string[]): void {
  if (typeof value === "string") {
    if (unusual.test(value)) found.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collectUnusual(item, found);
  } else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      if (unusual.test(key)) found.push(key);
      collectUnusual((value as Record<string, unknown>)[key], found);
    }
  }
}
