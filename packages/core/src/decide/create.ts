// create: a request becomes `ticket.create`, with everything that replay must not recompute (D11, D18).
import { type Artifact, DEFAULTS, HapError, type NewEvent, type StoredTicket, type TicketRequest } from "@hap/protocol";
import type { Classified } from "../classify.ts";
import type { ContentWriter } from "../contents.ts";
import { toIso } from "../record.ts";

/** What the engine found out before: names as handles, the rule that routes, the classification. */
export type CreateFacts = {
  now: number;
  id: string;
  to: string;
  escalateTo: string[];
  project: string | null;
  artifact: Artifact;
  classified: Classified;
  lease: { ttlSeconds: number | null; onTimeout: StoredTicket["lease"]["on_timeout"] | null };
  policyHash: string | null;
};

/** Decide a creation. */
export function decideCreate(request: TicketRequest, facts: CreateFacts, contents: ContentWriter): NewEvent[] {
  const { classified, artifact } = facts;
  const question = request.ask.type !== "approval";
  const onTimeout = request.lease.onTimeout ?? facts.lease.onTimeout ?? DEFAULTS.onTimeout;
  if (onTimeout === "auto_approve" && (question || classified.tier === "critical")) {
    const why = question
      ? "a question needs a person's answer"
      : `it is critical (risk ${classified.risk}, effects: ${classified.effects.join(", ") || "none"})`;
    throw new HapError("auto_approve_refused", `on_timeout auto_approve is refused: ${why}. Use auto_reject or cancel.`, {
      field: "lease.on_timeout",
      tier: classified.tier,
    });
  }
  const ticket: StoredTicket = {
    id: facts.id,
    from: request.from,
    to: facts.to,
    intent: {
      kind: request.kind,
      summary: contents.text("summary", request.summary),
      details: contents.json("details", request.details),
      confidence: request.confidence,
    },
    artifact: {
      ...artifact,
      environment: request.artifact.environment,
      repo: contents.textOrNull("artifact.repo", request.artifact.repo),
      base_commit: contents.textOrNull("artifact.base_commit", request.artifact.baseCommit),
    },
    ask_type: request.ask.type,
    allow_edits: request.ask.type === "approval" && request.ask.allow_edits,
    ask: question ? contents.json("ask", request.ask) : null,
    lease: {
      ttl_seconds: request.lease.ttlSeconds ?? facts.lease.ttlSeconds ?? DEFAULTS.ttlSeconds,
      on_timeout: onTimeout,
      escalate: request.lease.escalate === null ? null : { to: facts.escalateTo, max_depth: request.lease.escalate.maxDepth },
    },
    risk: classified.risk,
    risk_claimed: classified.riskClaimed,
    risk_factors: classified.factors,
    tier: classified.tier,
    effects: classified.effects,
    classifier: classified.classifier,
    policy_hash: facts.policyHash,
    priority: request.priority,
    project: facts.project,
    session: request.session,
    created_at: toIso(facts.now),
  };
  return [{ type: "ticket.create", ticket }];
}
