// create: a request becomes `ticket.create`, with everything that replay must not recompute (D11, D18).
import {
  type Artifact,
  DEFAULTS,
  HapError,
  type LoggedTicket,
  type NewEvent,
  PRESENTATION_VERSION,
  type StoredQuorum,
  type TicketRequest,
} from "@hap/protocol";
import type { Classified } from "../../classifier/classify.ts";
import type { ContentWriter } from "../../log/contents.ts";
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
  lease: { ttlSeconds: number | null; onTimeout: LoggedTicket["lease"]["on_timeout"] | null };
  policyHash: string | null;
  /** Whose yes it takes, where the confirmed policy wants several (D45). */
  quorum: StoredQuorum | null;
};

/** Decide a creation. */
export function decideCreate(request: TicketRequest, facts: CreateFacts, contents: ContentWriter): NewEvent[] {
  const { classified, artifact } = facts;
  const question = request.ask.type !== "approval";
  const onTimeout = request.lease.onTimeout ?? facts.lease.onTimeout ?? DEFAULTS.onTimeout;
  if (onTimeout === "auto_approve" && (question || facts.quorum !== null || classified.tier === "critical")) {
    const why = question
      ? "a question needs a person's answer"
      : facts.quorum !== null
        ? `${facts.quorum.need} people must approve it`
        : `it is critical (risk ${classified.risk}, effects: ${classified.effects.join(", ") || "none"})`;
    throw new HapError("auto_approve_refused", `on_timeout auto_approve is refused: ${why}. Use auto_reject or cancel.`, {
      field: "lease.on_timeout",
      tier: classified.tier,
    });
  }
  const summary = contents.text("summary", request.summary);
  const details = contents.json("details", request.details);
  const repo = contents.textOrNull("artifact.repo", request.artifact.repo);
  const baseCommit = contents.textOrNull("artifact.base_commit", request.artifact.baseCommit);
  const ask = question ? contents.json("ask", request.ask) : null;
  const findings = classified.findings.length === 0 ? {} : { findings: contents.json("findings", [...classified.findings]) };
  const { escalate } = request.lease;
  const { confidence, environment, scope } = classified.factors;
  // Keys in the order that the log has them: a row made now and one made again from the log are then the same text.
  const ticket: LoggedTicket = {
    allow_edits: request.ask.type === "approval" && request.ask.allow_edits,
    artifact: {
      base_commit: baseCommit,
      body: artifact.body,
      bytes_hash: artifact.bytes_hash,
      diff_hash: artifact.diff_hash,
      environment: request.artifact.environment,
      opaque: artifact.opaque,
      repo,
      type: artifact.type,
    },
    ask,
    ask_type: request.ask.type,
    classifier: classified.classifier,
    created_at: toIso(facts.now),
    effects: classified.effects,
    ...findings,
    from: request.from,
    id: facts.id,
    intent: { confidence: request.confidence, details, kind: request.kind, summary },
    lease: {
      escalate: escalate === null ? null : { max_depth: escalate.maxDepth, to: facts.escalateTo },
      on_timeout: onTimeout,
      ttl_seconds: request.lease.ttlSeconds ?? facts.lease.ttlSeconds ?? DEFAULTS.ttlSeconds,
    },
    policy_hash: facts.policyHash,
    presentation: PRESENTATION_VERSION,
    priority: request.priority,
    project: facts.project,
    ...(facts.quorum === null ? {} : { quorum: facts.quorum }),
    risk: classified.risk,
    risk_claimed: classified.riskClaimed,
    risk_factors: { confidence, environment, scope },
    session: request.session,
    tier: classified.tier,
    to: facts.to,
  };
  return [{ type: "ticket.create", ticket }];
}
