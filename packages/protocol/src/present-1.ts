// Version 1 of the presentation (D23), for tickets opened before version 2. Frozen: its hash was signed.
import type { Block, Presentable, PresentationOne } from "./block.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { characterWarnings } from "./character-warnings.ts";
import { type DiffFile, filesOfDetails } from "./diff.ts";
import { describeEffect, describeIntent } from "./plain-words.ts";
import { riskWord } from "./risk.ts";

/** Present a ticket as version 1 did. */
export function presentOne(ticket: Presentable): PresentationOne {
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
  return { v: 1, ticket_id: ticket.id, blocks };
}

function fact(label: string, value: string, origin: "runtime" | "agent" = "runtime"): Block {
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
