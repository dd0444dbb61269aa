// What a proposed grant would have answered among the newest tickets: before it is signed, and without writing anything.
import {
  allowsFacts,
  allowsTexts,
  denies,
  GRANT_LIMITS,
  type GrantPatterns,
  type GrantPreview,
  type GrantScope,
  leavesProject,
  type Ticket,
} from "@hap/protocol";
import { callOfTicket } from "./call.ts";
import type { GrantDraft } from "./draft.ts";

/** Ask a draft about tickets. Folders stand for themselves here: no handle is needed. */
export function previewDraft(draft: GrantDraft, tickets: readonly Ticket[], home: string): GrantPreview {
  const looked = tickets.filter(({ ask }) => ask.type === "approval").slice(0, GRANT_LIMITS.previewed);
  const matches = looked
    .filter((ticket) => matchesDraft(draft, ticket, home))
    .map(({ resolution, ...ticket }) => ({
      id: ticket.id,
      summary: ticket.intent.summary,
      from: ticket.from,
      kind: ticket.intent.kind,
      created_at: ticket.created_at,
      tier: ticket.tier,
      outcome: resolution?.outcome ?? null,
      by: resolution?.actor.kind ?? null,
    }));
  const ended = (outcome: string) => matches.filter((match) => match.outcome === outcome && match.by === "human").length;
  const [approved, rejected] = [ended("approved"), ended("rejected")];
  return { tickets: looked.length, matches, approved, rejected, other: matches.length - approved - rejected };
}

const NO_PATTERNS: GrantPatterns = { commands: null, paths: null, hosts: null };

/** True when a draft would answer what a ticket asked. */
export function matchesDraft(draft: GrantDraft, ticket: Ticket, home: string): boolean {
  if (draft.verdict === "allow" && ticket.quorum !== undefined) return false;
  const { facts, project, texts } = callOfTicket(ticket, home, draft.verdict);
  const scope = scopeOf(draft, draft.project ?? null);
  const placed = { ...facts, project };
  const patterns = draft.patterns ?? NO_PATTERNS;
  if (draft.verdict === "deny") return denies(scope, patterns, placed, texts);
  return allowsFacts(scope, placed) && allowsTexts(scope, patterns, texts) && !leavesProject(patterns, texts);
}

/** The scope of a draft; the log names its project by a handle. */
export function scopeOf(draft: GrantDraft, project: string | null): GrantScope {
  return {
    agent: draft.agent ?? null,
    session: draft.session ?? null,
    project,
    kinds: draft.kinds ?? null,
    environments: draft.environments ?? null,
    effects: draft.effects ?? null,
  };
}
