// Names, accounts, agents' owners and roles, replayed from the log and held against the rows (D35): a name that was changed, a link
// or an owner that no event made, is found.
import { type ContentRef, type EventOf, type HapEvent, type Json, prefixedHash, type Role } from "@hap/protocol";
import { rolesIn } from "../people/roles.ts";
import { groupsIn } from "../quorum/groups.ts";
import type { DirectoryRow, StoreReader, SubjectRow } from "../store/store.ts";
import { sha256 } from "../transaction/facts.ts";
import { sameValue } from "./alongside.ts";
import { Mismatch, must, mustBePerson } from "./illegal.ts";
import { makerOf } from "./maker-of.ts";

type DirectoryType = "directory.add" | "account.link" | "account.unlink" | "agent.own" | "role.set" | "group.set";
/** An event that says who somebody is. */
export type DirectoryEvent = { [T in DirectoryType]: EventOf<T> }[DirectoryType];
/** Reads the text behind a reference of the event at hand; undefined when it is gone. */
export type ReadText = (ref: ContentRef) => string | undefined;

/** Handles as whole strings of a payload: people anywhere, projects where they are named. */
const HANDLES = [
  { opening: '"human:', from: '"'.length, shape: /^human:[0-9a-hjkmnp-tv-z]{26}$/, length: "human:".length + 26 },
  { opening: '"project":"prj_', from: '"project":"'.length, shape: /^prj_[0-9a-hjkmnp-tv-z]{26}$/, length: "prj_".length + 26 },
];

export class DirectoryReplay {
  readonly #store: StoreReader;
  /** What the log names: undefined where the text is gone. */
  readonly #names = new Map<string, DirectoryRow | { seq: number; name: undefined }>();
  readonly #accounts = new Map<string, { person: string; seq: number; row: SubjectRow | undefined }>();
  readonly #owners = new Map<string, { owner: string; seq: number }>();
  readonly #roles = new Map<string, Role>();
  /** Members of groups by the confirmed policy. */
  readonly #groups = new Map<string, readonly string[]>();
  /** Handles that were used before the log named them, with the place of their first use. */
  readonly #unnamed = new Map<string, number>();
  /** People who were deleted. */
  readonly #erased = new Set<string>();
  /** Handles from before an import, which nobody may be able to name. */
  readonly #older = new Set<string>();
  /** The first vote by a role that no event gave. */
  #unprovenVote: number | null = null;
  #roleSeq = 1;
  #groupSeq = 1;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Rows from before were imported here: what came earlier cannot be proven. */
  imported(): void {
    must(
      this.#names.size === 0 && this.#accounts.size === 0 && this.#roles.size === 0,
      "rows are imported into a log that names them",
    );
    for (const handle of this.#unnamed.keys()) this.#older.add(handle);
    this.#unnamed.clear();
    this.#unprovenVote = null;
  }

  take(event: DirectoryEvent, text: ReadText, trustedHash: string | undefined): void {
    switch (event.type) {
      case "directory.add":
        this.#add(event, text(event.name as ContentRef));
        return;
      case "account.link":
        this.#link(event, text(event.account as ContentRef));
        return;
      case "account.unlink": {
        const link = this.#accounts.get(event.link);
        must(link !== undefined && link.person === event.person, "it ends a link that was not there");
        mustBePerson(event.from);
        this.#accounts.delete(event.link);
        return;
      }
      case "agent.own":
        must(!this.#owners.has(event.agent), `a second owner of ${event.agent}`);
        this.#owners.set(event.agent, { owner: event.owner, seq: event.seq });
        return;
      case "role.set":
        must(event.file_hash === trustedHash, "it follows from a policy that was not confirmed");
        if (event.role === null) this.#roles.delete(event.person);
        else this.#roles.set(event.person, event.role);
        this.#roleSeq = event.seq;
        return;
      case "group.set":
        must(event.file_hash === trustedHash, "it follows from a policy that was not confirmed");
        if (event.members.length === 0) this.#groups.delete(event.group);
        else this.#groups.set(event.group, event.members);
        this.#groupSeq = event.seq;
    }
  }

  /** A person was deleted: the name must be gone, the accounts mean nobody any more, and no role is left. */
  erase({ person }: EventOf<"person.erased">): void {
    const named = this.#names.get(person);
    must(named !== undefined || this.#older.has(person), "it deletes a person whom the log does not know");
    must(named?.name === undefined, "the name of a deleted person is still stored");
    must(!this.#roles.has(person), "it deletes a person who holds a role");
    must(![...this.#groups.values()].some((members) => members.includes(person)), "it deletes a person who is in a group");
    must(!this.#erased.has(person), "it deletes a person a second time");
    this.#erased.add(person);
    for (const [id, account] of this.#accounts) if (account.person === person) this.#accounts.delete(id);
  }

  #add({ handle, seq, since }: EventOf<"directory.add">, name: string | undefined): void {
    must(!this.#names.has(handle), `a second name of ${handle}`);
    must(
      name === undefined || name.startsWith("human:") === handle.startsWith("human:"),
      "a person is named as a project, or the other way round",
    );
    this.#names.set(handle, name === undefined ? { seq, name } : { handle, name, created_at: since, seq });
  }

  #link({ id, person, seq, since }: EventOf<"account.link">, text: string | undefined): void {
    const account = text === undefined ? undefined : (JSON.parse(text) as { issuer: string; subject: string });
    const row = account === undefined ? undefined : { ...account, person, created_at: since, seq };
    this.#accounts.set(id, { person, seq, row });
  }

  /** Every handle in a payload must have been named by then, and a deleted person makes no further event. */
  use(payload: string, event: HapEvent): void {
    const { seq } = event;
    const maker = makerOf(event);
    if (maker !== null && event.type !== "person.erased" && event.type !== "ticket.escalate")
      must(!this.#erased.has(maker), "its maker was deleted before");
    // Searched as plain text: a pattern over every payload costs as much as parsing it.
    for (const { opening, from, shape, length } of HANDLES)
      for (let at = payload.indexOf(opening); at !== -1; at = payload.indexOf(opening, at + opening.length)) {
        const end = at + from + length;
        const handle = payload.slice(at + from, end);
        if (this.#names.has(handle) || this.#older.has(handle) || this.#unnamed.has(handle)) continue;
        if (payload[end] === '"' && shape.test(handle)) this.#unnamed.set(handle, seq);
      }
  }

  /** Somebody decided by a role. */
  useRole(person: string, role: Role, seq: number): void {
    if (this.#roles.get(person) !== role) this.#unprovenVote ??= seq;
  }

  /** The people in an entry of a quorum at this place of the log (D45). */
  peopleIn(entry: string): ReadonlySet<string> {
    const name = entry.slice(entry.indexOf(":") + 1);
    const found = entry.startsWith("human:")
      ? [entry]
      : entry.startsWith("role:")
        ? [...this.#roles].filter(([, role]) => role === name).map(([person]) => person)
        : (this.#groups.get(name) ?? []);
    return new Set(found.filter((person) => !this.#erased.has(person)));
  }

  finish(): void {
    this.#compareGroups();
    this.#compareNames();
    this.#compareAccounts();
    this.#compareOwners();
    this.#compareRoles();
    for (const [handle, seq] of this.#unnamed) throw new Mismatch(seq, `it names ${handle}, whom no event named before`);
    if (this.#unprovenVote !== null) throw new Mismatch(this.#unprovenVote, "its maker had no such role");
  }

  #compareNames(): void {
    const stored = new Map(this.#store.listDirectory().map((row) => [row.handle, row]));
    for (const [handle, named] of this.#names) {
      const row = stored.get(handle);
      stored.delete(handle);
      if (named.name === undefined) {
        if (row !== undefined) throw new Mismatch(named.seq, `the directory names ${handle}, whose name was erased`);
        continue;
      }
      if (row === undefined) throw new Mismatch(named.seq, `the directory lacks ${handle}, and no erasure says so`);
      if (!sameValue(named, { ...row }))
        throw new Mismatch(named.seq, `the directory entry of ${handle} is not what the log says`);
    }
    for (const handle of stored.keys()) throw new Mismatch(1, `the directory names ${handle}, whom the log does not know`);
  }

  #compareAccounts(): void {
    const key = ({ issuer, subject }: SubjectRow) => JSON.stringify([issuer, subject]);
    const stored = new Map(this.#store.listSubjects().map((row) => [key(row), row]));
    for (const { seq, row } of this.#accounts.values()) {
      if (row === undefined) continue;
      const found = stored.get(key(row));
      stored.delete(key(row));
      if (found === undefined) throw new Mismatch(seq, "the account that it links is missing from the stored ones");
      if (!sameValue(row, { ...found })) throw new Mismatch(seq, "the stored account is not the one that it links");
    }
    for (const { person } of stored.values())
      throw new Mismatch(1, `an account is linked to ${person} that the log does not know`);
  }

  #compareOwners(): void {
    const stored = this.#store.listAgentOwners();
    for (const { agent, owner } of stored) {
      const said = this.#owners.get(agent);
      if (said?.owner !== owner)
        throw new Mismatch(said?.seq ?? 1, `the stored owner of ${agent} is not the one that the log names`);
    }
    const kept = new Set(stored.map(({ agent }) => agent));
    for (const [agent, { seq }] of this.#owners)
      if (!kept.has(agent)) throw new Mismatch(seq, `the owner of ${agent} is missing`);
  }

  /** The groups likewise. */
  #compareGroups(): void {
    const text = this.#confirmedText();
    if (text === undefined) return;
    const wanted: Record<string, Json> = {};
    for (const [group, members] of Object.entries(groupsIn(text)))
      if (members.length > 0) wanted[group] = members.map((name) => this.#store.handleOf(name) ?? name).sort();
    if (!sameValue(wanted, Object.fromEntries(this.#groups) as Record<string, Json>))
      throw new Mismatch(this.#groupSeq, "the groups of the confirmed policy are not those that the log gave");
  }

  /** The text that was confirmed, "" for none; undefined where it was changed, which is found elsewhere. */
  #confirmedText(): string | undefined {
    const text = this.#store.config("trusted_policy_text") ?? "";
    return prefixedHash(text, sha256) === (this.#store.config("trusted_policy") ?? prefixedHash("", sha256)) ? text : undefined;
  }

  /** The roles that the events gave must be those of the confirmed policy, under the names of the directory. */
  #compareRoles(): void {
    const text = this.#confirmedText();
    if (text === undefined) return;
    const wanted: Record<string, Json> = {};
    for (const [name, role] of rolesIn(text)) wanted[this.#store.handleOf(name) ?? name] = role;
    if (!sameValue(wanted, Object.fromEntries(this.#roles)))
      throw new Mismatch(this.#roleSeq, "the roles of the confirmed policy are not those that the log gave");
  }
}
