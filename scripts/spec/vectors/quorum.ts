// When the votes of a quorum open a ticket (D45): the quorum, who is in which group, the votes, and which keys were revoked.
import { type CountedVote, HapError, type Json, type StoredQuorum, tally } from "@hap/protocol";
import { type Case, invalid, type Suite, valid } from "../vector.ts";

type Input = { quorum: StoredQuorum; people: Record<string, string[]>; votes: CountedVote[]; revoked: string[] };

const group = "group:platform-team";
const base: StoredQuorum = {
  need: 2,
  not_alone: false,
  not_requester: false,
  of: [group],
  order: "parallel",
  rejections: 1,
  requester: "human:alex",
};
const people = { [group]: ["human:sam", "human:kim"], "role:owner": ["human:alex"], "human:alex": ["human:alex"] };

const vote = (by: string, change: Partial<CountedVote> = {}): CountedVote => ({
  by: `human:${by}`,
  on_behalf_of: null,
  decision: "approve",
  seat: group,
  credential: null,
  ...change,
});
const input = (votes: CountedVote[], quorum: Partial<StoredQuorum> = {}, more: Partial<Input> = {}): Json =>
  ({ quorum: { ...base, ...quorum }, people, votes, revoked: [], ...more }) as unknown as Json;

const own = { of: [group, "human:alex"] };
const alex = (change: Partial<CountedVote> = {}) => vote("alex", { seat: "human:alex", ...change });
const listed = { of: [group, "role:owner"], order: "listed" as const };
const owner = vote("alex", { seat: "role:owner" });

const approved: [string, Json, string][] = [
  ["two of a group", input([vote("sam"), vote("kim")]), "Parallel"],
  ["one, where one is enough", input([vote("kim")], { need: 1 }), "Parallel"],
  ["one of a group and a person", input([vote("kim"), alex()], own), "Parallel"],
  [
    "a no below the number that ends it",
    input([vote("sam"), vote("kim", { decision: "reject" }), alex()], { ...own, rejections: 2 }),
    "No",
  ],
  ["in the order listed", input([vote("sam"), owner], listed), "Order"],
  ["the requester's yes beside another's", input([vote("sam"), alex()], { ...own, not_alone: true }), "Requester"],
  ["another's yes alone", input([vote("sam")], { ...own, need: 1, not_alone: true }), "Requester"],
  [
    "votes of keys that are in use",
    input([vote("sam", { credential: "k1" }), vote("kim", { credential: "k2" })], {}, { revoked: ["k3"] }),
    "Key",
  ],
];

const shut: [string, Json, string][] = [
  ["no vote", input([]), "Parallel"],
  ["one of two", input([vote("sam")]), "Parallel"],
  ["a person who is not in the group", input([vote("sam"), vote("mallory")]), "Members"],
  [
    "a person who left the group",
    input([vote("sam"), vote("kim")], {}, { people: { ...people, [group]: ["human:kim"] } }),
    "Members",
  ],
  ["a group that is empty", input([vote("sam"), vote("kim")], {}, { people: { [group]: [] } }), "Members"],
  ["a seat that the quorum does not have", input([vote("sam"), owner]), "Members"],
  ["a person in the seat of another", input([vote("sam"), vote("kim", { seat: "human:alex" })], own), "Members"],
  ["a single no", input([vote("sam"), vote("kim", { decision: "reject" })]), "No"],
  ["a wish for changes", input([vote("sam"), vote("kim", { decision: "request_changes" })]), "No"],
  [
    "as many noes as end it",
    input([vote("sam", { decision: "reject" }), vote("kim", { decision: "reject" }), alex()], { ...own, need: 1, rejections: 2 }),
    "No",
  ],
  ["the requester, who may not", input([vote("sam"), alex()], { ...own, not_requester: true }), "Requester"],
  ["the requester alone", input([alex()], { ...own, need: 1, not_alone: true }), "Requester"],
  [
    "a deputy of the requester",
    input([vote("sam"), alex({ by: "human:kim", on_behalf_of: "human:alex" })], { ...own, not_requester: true }),
    "Deputy",
  ],
  [
    "the requester as a deputy",
    input([vote("kim"), alex({ by: "human:alex", on_behalf_of: "human:sam", seat: group })], { not_requester: true }),
    "Deputy",
  ],
  ["a deputy of somebody who is in no seat", input([vote("sam"), vote("kim", { on_behalf_of: "human:mallory" })]), "Deputy"],
  ["a key that was revoked", input([vote("sam", { credential: "k1" }), vote("kim")], {}, { revoked: ["k1"] }), "Key"],
  ["the second seat before the first", input([owner], listed), "Order"],
  ["a first seat whose voter left", input([vote("mallory"), owner], listed), "Order"],
];

function run(given: Json): Json {
  const { quorum, people: members, votes, revoked } = given as unknown as Input;
  const counted = tally(quorum, votes, {
    peopleIn: (entry) => new Set(members[entry] ?? []),
    isKeyInUse: (credential) => !revoked.includes(credential),
  });
  if (counted.end === "approve") return counted as unknown as Json;
  throw new HapError("not_consumable", "The votes do not approve it");
}

export const quorum: Suite = {
  name: "quorum",
  description:
    "Whether the votes of a quorum approve a ticket: input.quorum as in ticket.create, input.people by entry of `of`, input.votes the last vote of each person, input.revoked the keys that were revoked.",
  flags: {
    Deputy: "votes for somebody else",
    Key: "votes by keys that were revoked since",
    Members: "only people who are in a seat count",
    No: "what ends it",
    Order: "one seat after the other",
    Parallel: "how many are needed",
    Requester: "the person whose agent asks",
  },
  cases: [
    ...approved.map(([comment, given, flag]): Case => valid(comment, given, flag)),
    ...shut.map(([comment, given, flag]): Case => invalid(comment, given, flag)),
  ],
  run,
};
