// Opening a ticket: parse, classify, ask the policy, then one transaction. The same id with the same content is the same ticket.
import {
  type Call,
  type CreateTicketInput,
  canonicalJson,
  type DiffFile,
  describeArtifact,
  filesOfDetails,
  HapError,
  type Json,
  LIMITS,
  parseCreateTicket,
  quote,
  type TicketRequest,
  type Verdict,
} from "@hap/protocol";
import { classify, countLines } from "../classifier/classify.ts";
import { ContentWriter } from "../log/contents.ts";
import { enlist, nameOf } from "../people/people.ts";
import { type Policies, riskTable } from "../policies/policy.ts";
import { evaluate } from "../policies/policy-verdict.ts";
import { sha256 } from "../transaction/facts.ts";
import type { Session } from "../transaction/session.ts";
import { decideCreate } from "./decide/create.ts";
import type { TicketRecord } from "./record.ts";
import { presentable } from "./view.ts";

/** A request with everything found out that needs no lock. */
export type Prepared = {
  request: TicketRequest;
  artifact: ReturnType<typeof describeArtifact>;
  classified: ReturnType<typeof classify>;
  verdict: Verdict;
  policies: Policies;
  call: Call;
};

/** Parse and classify a request, and ask the policy about it. */
export function prepare(
  input: CreateTicketInput | Record<string, unknown>,
  loadPolicies: (project: string | null) => Policies,
  home: string,
): Prepared {
  guardSize(input);
  const parsed = parseCreateTicket(input);
  // The directory holds people and projects by name; a project must not pass for a person.
  if (parsed.project?.startsWith("human:"))
    throw new HapError("invalid_input", `project is ${quote(parsed.project)}; it must be a folder.`, { field: "project" });
  const files = filesOfDetails(parsed.details);
  const request = withCountedLines(parsed, files);
  const policies = loadPolicies(request.project);
  const artifact = describeArtifact(request, sha256);
  const classified = classify(request, artifact, riskTable(policies), home, files);
  const call: Call = {
    agent: request.from,
    kind: request.kind,
    paths: classified.paths,
    command: typeof request.details.command === "string" ? request.details.command : null,
    environment: request.artifact.environment,
    project: request.project,
    home,
    risk: classified.risk,
    tier: classified.tier,
    effects: classified.effects,
  };
  return { request, artifact, classified, policies, call, verdict: evaluate(policies, call) };
}

/** Far too much is refused before anything costly is done with it. The same text may be given in two places. */
function guardSize(input: unknown): void {
  const limit = LIMITS.contentBytes;
  const seen = new Set<unknown>();
  const waiting: unknown[] = [input];
  let chars = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") chars += value.length;
    else if (typeof value === "object" && value !== null && !seen.has(value)) {
      seen.add(value);
      for (const item of Object.values(value)) waiting.push(item);
    }
    if (chars > 2 * limit) {
      throw new HapError(
        "too_large",
        `details has more than ${limit} bytes, which is the most. Shorten it, or refer to a file.`,
        {
          field: "details",
          limit,
        },
      );
    }
  }
}

/** Where the runtime holds a diff it counts the lines itself (D11). */
function withCountedLines(request: TicketRequest, files: readonly DiffFile[]): TicketRequest {
  if (typeof request.details.diff !== "string") return request;
  const { added, removed } = countLines(request.details, files);
  return { ...request, details: { ...request.details, lines_added: added, lines_removed: removed } };
}

/** Open the ticket inside a session, or find the one that the same id names. */
export function applyCreate(session: Session, prepared: Prepared, localPerson: string): TicketRecord {
  const { request, verdict, policies } = prepared;
  if (request.id !== null) {
    const existing = session.tx.ticketById(request.id);
    if (existing !== undefined) return sameTicket(session, session.applyDue(existing), prepared);
  }
  const contents = new ContentWriter(session.names);
  const enlisted = (name: string) => enlist(session, name);
  const facts = {
    now: session.now,
    id: request.id ?? session.names.id("tk_"),
    to: enlisted(request.to ?? verdict.to ?? localPerson),
    escalateTo: (request.lease.escalate?.to ?? []).map(enlisted),
    project: request.project === null ? null : enlisted(request.project),
    artifact: prepared.artifact,
    classified: prepared.classified,
    lease: { ttlSeconds: verdict.lease.ttl_seconds ?? null, onTimeout: verdict.lease.on_timeout ?? null },
    policyHash: (policies.confirmed ?? policies.changed)?.hash ?? null,
  };
  return session.commitCreate(decideCreate(request, facts, contents), contents.made);
}

/** Same agent and same content: the same ticket. Anything else is a conflict (D12); what was left out is not compared. */
function sameTicket(session: Session, existing: TicketRecord, prepared: Prepared): TicketRecord {
  const { request, artifact } = prepared;
  const { ticket } = existing;
  // Whose ticket it is, another agent does not learn.
  if (ticket.from !== request.from)
    throw new HapError("id_conflict", `${request.id} is taken. Use a new id, or leave it out.`, { ticket_id: request.id });
  const shown = presentable(session.tx, existing);
  const names = (handles: readonly string[]) => handles.map((handle) => nameOf(session.tx, handle));
  const pairs: [string, Json, Json][] = [
    ["to", nameOf(session.tx, ticket.to), request.to ?? nameOf(session.tx, ticket.to)],
    ["kind", shown.intent.kind, request.kind],
    ["summary", shown.intent.summary, request.summary],
    ["details", shown.intent.details as Json, request.details],
    ["confidence", shown.intent.confidence, request.confidence],
    ["risk", ticket.risk_claimed, request.riskClaimed],
    ["ask", shown.ask as Json, request.ask as Json],
    ["artifact", ticket.artifact.bytes_hash, artifact.bytes_hash],
    ["environment", ticket.artifact.environment, request.artifact.environment],
    ["repo", shown.artifact.repo, request.artifact.repo],
    ["base_commit", shown.artifact.base_commit, request.artifact.baseCommit],
    ["priority", ticket.priority, request.priority],
    ["project", shown.project, request.project],
    ["lease", ticket.lease.ttl_seconds, request.lease.ttlSeconds ?? ticket.lease.ttl_seconds],
    ["on_timeout", ticket.lease.on_timeout, request.lease.onTimeout ?? ticket.lease.on_timeout],
    ["escalate", names(ticket.lease.escalate?.to ?? []), request.lease.escalate?.to ?? []],
  ];
  for (const [name, before, after] of pairs) {
    if (canonicalJson(before) === canonicalJson(after)) continue;
    throw new HapError("id_conflict", `${request.id} is taken by a ticket with another ${name}. Use a new id, or leave it out.`, {
      ticket_id: request.id,
      field: name,
    });
  }
  return existing;
}
