// Groups and quorums in a policy file (D45): what is written there, and what cannot be meant.
import { QUORUM_LIMITS, QUORUM_ORDERS, type QuorumOrder, type TimeoutAction } from "../constants.ts";
import { ID_PATTERNS, quote } from "../identifiers.ts";
import { check, flag, list, object, oneOf, type Problem, person, type Read } from "../policy-fields.ts";

/** A quorum as a rule writes it. What is left out: both conditions false, parallel, and one no ends it. */
export type QuorumRule = {
  need: number;
  of: string[];
  not_requester?: boolean;
  not_alone?: boolean;
  order?: QuorumOrder;
  rejections?: number;
};

/** People by the name of their group. */
export type GroupsRule = Record<string, string[]>;

const GROUP = /^[a-z0-9][a-z0-9_.-]{0,57}$/;
const ROLE_ENTRY = /^role:(owner|approver)$/;

const count = check(
  `a whole number from 1 to ${QUORUM_LIMITS.need}`,
  (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= QUORUM_LIMITS.need,
);

/** `group:NAME`, `role:owner`, `role:approver` or `human:NAME`. */
const entry: Read = (value, field, problems) => {
  if (typeof value === "string" && ((value.startsWith("group:") && GROUP.test(value.slice(6))) || ROLE_ENTRY.test(value)))
    return value;
  if (typeof value === "string" && value.startsWith("human:")) return person(value, field, problems);
  problems.push({ field, problem: "must be group:NAME, role:owner, role:approver or human:NAME" });
  return value;
};

/** The reader of a rule's `quorum`. */
export const quorum: Read = object(
  {
    need: count,
    of: list(entry, 1),
    not_requester: flag,
    not_alone: flag,
    order: oneOf(QUORUM_ORDERS),
    rejections: count,
  },
  ["need", "of"],
);

const members = list(person);

/** The reader of `groups`: a list of people by name. */
export const groups: Read = (value, field, problems) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    problems.push({ field, problem: "must be an object of groups by name" });
    return value;
  }
  const named = Object.entries(value);
  if (named.length > QUORUM_LIMITS.groups)
    problems.push({ field, problem: `has ${named.length} groups; at most ${QUORUM_LIMITS.groups} are allowed` });
  return Object.fromEntries(
    named.map(([name, given]) => {
      const at = `${field}.${name}`;
      if (!GROUP.test(name))
        problems.push({ field, problem: `has the group ${quote(name)}; a name is a-z, 0-9, _ . and -, at most 58 characters` });
      const read = members(given, at, problems);
      const people = Array.isArray(read) ? [...new Set(read)] : [];
      if (people.length > QUORUM_LIMITS.groupMembers)
        problems.push({ field: at, problem: `has ${people.length} people; at most ${QUORUM_LIMITS.groupMembers} are allowed` });
      return [name, people];
    }),
  );
};

type AskingRule = {
  id: string;
  verdict: string;
  quorum?: QuorumRule;
  timer_yes?: boolean | undefined;
  lease?: { on_timeout?: TimeoutAction | undefined } | undefined;
};

/** What no single field shows: quorums that time could go around, of groups that are not there, or of too few people. */
export function checkQuorums(rules: readonly AskingRule[], known: GroupsRule): Problem[] {
  return rules.flatMap((rule, index) => {
    const { quorum } = rule;
    if (quorum === undefined) return [];
    const field = `rules.${index}.quorum`;
    const unknown = quorum.of.find((one) => one.startsWith("group:") && !Object.hasOwn(known, one.slice(6)));
    const onlyPeople = quorum.of.every((one) => ID_PATTERNS.human.test(one));
    const twice = quorum.of.find((one, at) => quorum.of.indexOf(one) !== at);
    const problems = [
      rule.verdict !== "ask" && `needs the verdict "ask" (rule ${rule.id} says ${rule.verdict})`,
      (rule.timer_yes === true || rule.lease?.on_timeout === "auto_approve") && "cannot be gone around by a timer",
      unknown !== undefined && `names ${unknown}, which is not in groups`,
      quorum.of.length > QUORUM_LIMITS.of && `lists ${quorum.of.length} entries; at most ${QUORUM_LIMITS.of} are allowed`,
      twice !== undefined && `lists ${twice} twice`,
      quorum.order === "listed" &&
        quorum.need !== quorum.of.length &&
        `in order needs one yes of each entry: need must be ${quorum.of.length}`,
      onlyPeople && new Set(quorum.of).size < quorum.need && `needs ${quorum.need} people and lists fewer`,
    ];
    return problems.filter((problem) => problem !== false).map((problem) => ({ field, problem }));
  });
}
