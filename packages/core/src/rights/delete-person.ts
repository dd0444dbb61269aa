// `hap delete-human` (draft 19.1): the plan, and the deletion. The person's texts, name and accounts go, the log keeps digests and
// verifies, and texts of others that name the person are listed and never left without a decision.
import { type DeletePersonInput, HapError, isOpen, type PersonDeletion } from "@hap/protocol";
import { dropHeldOf } from "../decisions/held.ts";
import { ContentWriter } from "../log/contents.ts";
import { forgetPerson } from "../log/forget-person.ts";
import { deleteText, recordErased } from "../log/record-erased.ts";
import { enlist } from "../people/people.ts";
import { rolesIn } from "../people/roles.ts";
import { escalateShort } from "../quorum/escalate-short.ts";
import { groupsIn } from "../quorum/groups.ts";
import type { DirectoryRow, StoreReader } from "../store/store.ts";
import { decideCancel } from "../tickets/decide/cancel.ts";
import { decideReassign } from "../tickets/decide/prolong.ts";
import type { Session } from "../transaction/session.ts";
import { keptOf } from "./kept.ts";
import { type PersonTexts, personTexts, viewMention } from "./person-texts.ts";
import { wordsFor } from "./search-words.ts";

type Decided = PersonDeletion["mentions"][number];

/** What a deletion would do, and the texts that it would do it to. */
export function planDeletion(
  store: StoreReader,
  person: DirectoryRow,
  input: DeletePersonInput,
): { plan: PersonDeletion; texts: PersonTexts } {
  const { handle } = person;
  const subjects = store.listSubjects().filter((row) => row.person === handle);
  const texts = personTexts(store, handle, wordsFor(person.name, subjects, input.also));
  const mentions = texts.mentions.map((mention): Decided => {
    const view = viewMention(store, mention);
    return { ...view, decision: view.kept_because === null ? decisionOn(view.digest, input.mentions) : "keep" };
  });
  const open = openTickets(store, handle).map(({ ticket }) => ticket.id);
  const becomes = input.reassign_to === undefined ? "canceled" : `reassigned to ${input.reassign_to}`;
  const plan: PersonDeletion = {
    person: person.name,
    handle,
    dry_run: input.dry_run === true,
    blockers: blockersOf(store, person),
    erased: {
      texts: texts.own.length + mentions.filter(({ decision }) => decision === "erase").length,
      accounts: subjects.length,
      sessions: store.listSessions(handle).length,
      browsers: store.pushSubscriptions(handle).length,
      credentials_revoked: store.credentialsOf(handle).filter(({ revokedAt }) => revokedAt === null).length,
    },
    open_tickets: open.map((ticket_id) => ({ ticket_id, becomes })),
    mentions,
    kept: keptOf(store, handle, texts.events),
    backups: store.listBackups().map((backup) => ({ ...backup, result: "planned", problem: null })),
  };
  return { plan, texts };
}

/** Carry a plan out; `from` is the handle of who does it. Files are scrubbed by the caller. */
export function carryOut(
  session: Session,
  person: DirectoryRow,
  { plan, texts }: { plan: PersonDeletion; texts: PersonTexts },
  input: DeletePersonInput & { from: string },
): void {
  assertReady(plan);
  const { handle } = person;
  dropHeldOf(session.tx, person.name);
  endOpenTickets(session, handle, input);
  const wanted = new Set(plan.mentions.filter(({ decision }) => decision === "erase").map(({ digest }) => digest));
  const going = [...texts.own, ...texts.mentions.filter(({ digest }) => wanted.has(digest))];
  for (const { event } of going) if ("ticket_id" in event) session.tx.dropChallenges({ ticketId: event.ticket_id as string });
  const gone = new Set(going.filter(({ place, digest }) => deleteText(session, place, digest)).map(({ digest }) => digest));
  recordErased(session, [...gone], { from: input.from });
  forgetPerson(session, handle, input.from);
  escalateShort(session);
}

function decisionOn(digest: string, mentions: DeletePersonInput["mentions"]): "erase" | "keep" | null {
  return typeof mentions === "string" ? mentions : (mentions?.[digest] ?? null);
}

function openTickets(store: StoreReader, handle: string) {
  return store.listTickets({ to: handle, limit: Number.MAX_SAFE_INTEGER }).filter(({ state }) => isOpen(state));
}

/** A role or group is given by name in the policy, which only people change. */
function blockersOf(store: StoreReader, { name }: DirectoryRow): string[] {
  const text = store.config("trusted_policy_text");
  const role = rolesIn(text).get(name);
  const groups = Object.entries(groupsIn(text)).filter(([, members]) => members.includes(name));
  const held = [...(role === undefined ? [] : [`an ${role}`]), ...groups.map(([group]) => `in the group ${group}`)];
  return held.map((what) => `${name} is ${what} by the confirmed policy. Take the name out of it and confirm it first.`);
}

/** Refuse a plan that something stands in the way of, or that leaves a decision open. */
export function assertReady(plan: PersonDeletion): void {
  refuseBlocked(plan);
  refuseUndecided(plan);
}

function refuseBlocked({ person, blockers }: PersonDeletion): void {
  if (blockers.length === 0) return;
  throw new HapError("wrong_state", `${person} cannot be deleted yet. ${blockers.join(" ")}`, { person, blockers });
}

function refuseUndecided({ person, mentions }: PersonDeletion): void {
  const open = mentions.filter(({ decision }) => decision === null);
  if (open.length === 0) return;
  throw new HapError(
    "confirmation_needed",
    `${open.length} texts of others name ${person}. Look at them with a dry run, and say for each whether it is erased or kept.`,
    { person, field: "mentions", undecided: open.map(({ digest }) => digest) },
  );
}

function endOpenTickets(session: Session, handle: string, { from, reassign_to }: DeletePersonInput & { from: string }): void {
  const to = reassign_to === undefined ? null : enlist(session, reassign_to);
  if (to === handle)
    throw new HapError("invalid_input", "reassign_to is the person who is deleted; name somebody else.", {
      field: "reassign_to",
    });
  for (const found of openTickets(session.tx, handle)) {
    const record = session.applyDue(found);
    if (!isOpen(record.state) || record.to !== handle) continue;
    if (to !== null) {
      session.commit(record, decideReassign(record, from, to, session.now));
      continue;
    }
    const contents = new ContentWriter(session.names);
    const reason = contents.text("reason", "The person to whom it was addressed was deleted.");
    const cancel = { from, actor: { kind: "human" as const, id: from }, reason, trust: session.trust };
    session.commit(record, decideCancel(record, cancel), contents.made);
  }
}
