// What is found out about a request before any lock is taken: parsed, classified, and judged by the policies in force.
import {
  type CreateTicketInput,
  type DiffFile,
  describeArtifact,
  filesOfDetails,
  HapError,
  LIMITS,
  type MatchableCall,
  parseCreateTicket,
  quote,
  type TicketRequest,
  type Verdict,
} from "@hap/protocol";
import { type Classified, countLines, type Findings, type Found, findOut, rate } from "../classifier/classify.ts";
import { type Policies, riskTable } from "../policies/policy.ts";
import { evaluate } from "../policies/policy-verdict.ts";
import { sha256 } from "../transaction/facts.ts";

/** A request as it was parsed; its command may still have to be classified. */
export type ParsedTicket = { request: TicketRequest; files: readonly DiffFile[] };

/** A request with everything found out that needs no lock. */
export class PreparedTicket {
  readonly request: TicketRequest;
  readonly artifact: ReturnType<typeof describeArtifact>;
  readonly policies: Policies;
  readonly classified: Classified;
  readonly verdict: Verdict;
  readonly #findings: Findings;
  readonly home: string;

  constructor(
    request: TicketRequest,
    artifact: PreparedTicket["artifact"],
    findings: Findings,
    policies: Policies,
    home: string,
  ) {
    this.request = request;
    this.artifact = artifact;
    this.policies = policies;
    this.#findings = findings;
    this.home = home;
    this.classified = rate(request, findings, riskTable(policies));
    this.verdict = evaluate(policies, this.#call());
  }

  /** The same request with another confirmed policy; nothing is classified again. */
  under(confirmed: Policies["confirmed"]): PreparedTicket {
    if (confirmed?.hash === this.policies.confirmed?.hash) return this;
    const { changed, project } = this.policies;
    const policies = { confirmed, changed: changed?.hash === confirmed?.hash ? null : changed, project };
    return new PreparedTicket(this.request, this.artifact, this.#findings, policies, this.home);
  }

  #call(): MatchableCall {
    const { request, classified } = this;
    return {
      agent: request.from,
      kind: request.kind,
      paths: classified.paths,
      command: typeof request.details.command === "string" ? request.details.command : null,
      environment: request.artifact.environment,
      project: request.project,
      home: this.home,
      risk: classified.risk,
      tier: classified.tier,
      effects: classified.effects,
    };
  }
}

/** Parse a request. */
export function parseTicket(input: CreateTicketInput | Record<string, unknown>): ParsedTicket {
  guardSize(input);
  const parsed = parseCreateTicket(input);
  // The directory holds people and projects by name; a project must not pass for a person.
  if (parsed.project?.startsWith("human:"))
    throw new HapError("invalid_input", `project is ${quote(parsed.project)}; it must be a folder.`, { field: "project" });
  const files = filesOfDetails(parsed.details);
  return { request: withCountedLines(parsed, files), files };
}

/** Classify a request, and ask the policies about it. The effects of its command may be known already. */
export function prepareTicket(
  { request, files }: ParsedTicket,
  policies: Policies,
  home: string,
  ofCommand?: Found,
): PreparedTicket {
  const artifact = describeArtifact(request, sha256);
  return new PreparedTicket(request, artifact, findOut(request, artifact, home, files, ofCommand), policies, home);
}

/** Refuse far too much before anything costly is done with it. The same text may be given in two places. */
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
