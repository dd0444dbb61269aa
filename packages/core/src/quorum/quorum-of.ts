// The quorum of a new ticket (D45): what the rule demands, with handles for names, and the person whose agent asks.
import { canBeReached, ID_PATTERNS, type QuorumRule, type StoredQuorum } from "@hap/protocol";
import { enlist } from "../people/people.ts";
import { policyInForce } from "../policies/confirmed-policy.ts";
import type { StoreReader } from "../store/store.ts";
import type { Session } from "../transaction/session.ts";
import { standingOf } from "./standing.ts";

/** Make it. Everything that the rule leaves out is written down, so that nothing depends on defaults later. */
export function quorumOf(session: Session, rule: QuorumRule, agent: string, localPerson: string): StoredQuorum {
  return {
    need: rule.need,
    not_alone: rule.not_alone ?? false,
    not_requester: rule.not_requester ?? false,
    of: rule.of.map((entry) => (ID_PATTERNS.human.test(entry) ? enlist(session, entry) : entry)),
    order: rule.order ?? "parallel",
    rejections: rule.rejections ?? 1,
    requester: requesterOf(session.tx, agent) ?? enlist(session, localPerson),
  };
}

/** The person whose session an agent runs in: who made the newest key that it, or the agent it belongs to, came with. */
function requesterOf(rows: Pick<StoreReader, "listKeys" | "agentOwner">, agent: string): string | null {
  const owner = rows.agentOwner(agent) ?? agent;
  return rows.listKeys().find((key) => key.agent === owner)?.createdBy ?? null;
}

/** Whom a ticket with a quorum is addressed to: somebody who can approve it, or an owner where too few can. */
export function addresseeOf(session: Session, quorum: StoredQuorum, wanted: string | null): string | null {
  const standing = standingOf(session.tx);
  if (!canBeReached(quorum, standing)) return ownerOf(session) ?? wanted;
  const entries = quorum.order === "listed" ? quorum.of.slice(0, 1) : quorum.of;
  const people = entries.flatMap((entry) => [...standing.peopleIn(entry)]);
  const able = people.filter((person) => !(quorum.not_requester && person === quorum.requester));
  return wanted !== null && able.includes(wanted) ? wanted : (able[0] ?? wanted);
}

/** The first owner that the confirmed policy names and the directory knows. */
export function ownerOf(session: Session): string | null {
  const owners = policyInForce(session.tx)?.roles?.owner ?? [];
  return owners.map((name) => session.tx.handleOf(name)).find((handle) => handle !== undefined) ?? null;
}
