// Groups and quorums in policy files (D45), and where a quorum stands in words.
import { describe, expect, test } from "vitest";
import { outcomeWords } from "../plain-words.ts";
import { readPolicyFile } from "../policy-read.ts";
import type { Ticket } from "../schema/ticket.ts";
import type { QuorumView } from "./quorum.ts";
import { quorumWords } from "./quorum-words.ts";

const file = (quorum: unknown, more: Record<string, unknown> = {}, rule: Record<string, unknown> = {}) =>
  JSON.stringify({
    version: 1,
    groups: { team: ["human:sam", "kim", "human:sam"], sre: [] },
    rules: [{ id: "two", match: { kind: "deploy" }, verdict: "ask", why: "Two.", quorum, ...rule }],
    ...more,
  });

describe("[QUORUM-POLICY-1] a quorum in a policy", () => {
  test("is read with its groups, each person once", () => {
    const quorum = { need: 2, of: ["group:team", "role:owner", "human:boss"], not_requester: true, rejections: 2 };
    const read = readPolicyFile(file(quorum), "p.json");
    expect(read.rules[0]?.quorum).toEqual(quorum);
    expect(read.groups).toEqual({ team: ["human:sam", "human:kim"], sre: [] });
  });

  test.each([
    [{ of: ["group:team"] }, {}, {}, "rules.0.quorum.need: must be a whole number from 1 to 20"],
    [{ need: 0, of: ["group:team"] }, {}, {}, "must be a whole number from 1 to 20 (got 0)"],
    [{ need: 2, of: [] }, {}, {}, "must be a list that is not empty"],
    [{ need: 2, of: ["team"] }, {}, {}, "must be group:NAME, role:owner, role:approver or human:NAME"],
    [{ need: 1, of: ["role:auditor"] }, {}, {}, "must be group:NAME"],
    [{ need: 1, of: ["agent:ci"] }, {}, {}, "must be group:NAME"],
    [{ need: 2, of: ["group:nobody"] }, {}, {}, "names group:nobody, which is not in groups"],
    [{ need: 2, of: ["group:constructor"] }, {}, {}, "which is not in groups"],
    [{ need: 2, of: ["human:sam"] }, {}, {}, "needs 2 people and lists fewer"],
    [{ need: 1, of: ["human:sam", "human:sam"] }, {}, {}, "lists human:sam twice"],
    [{ need: 1, of: ["human:sam", "human:kim"], order: "listed" }, {}, {}, "need must be 2"],
    [{ need: 1, of: ["human:sam"], order: "random" }, {}, {}, "must be parallel or listed"],
    [{ need: 1, of: ["human:sam"], votes: 1 }, {}, {}, 'unknown key "votes"'],
    [{ need: 1, of: ["human:sam"] }, {}, { verdict: "allow" }, 'needs the verdict "ask"'],
    [{ need: 1, of: ["human:sam"] }, {}, { timer_yes: true }, "cannot be gone around by a timer"],
    [{ need: 1, of: ["human:sam"] }, {}, { lease: { on_timeout: "auto_approve" } }, "cannot be gone around by a timer"],
    [{ need: 1, of: ["human:sam"] }, { groups: { "A B": [] } }, {}, 'has the group "A B"'],
    [{ need: 1, of: ["human:sam"] }, { groups: ["x"] }, {}, "must be an object of groups by name"],
    [{ need: 1, of: ["human:sam"] }, { groups: { a: ["agent:x"] } }, {}, "groups.a.0"],
    [{ need: 1, of: ["human:sam"] }, { groups: { a: { people: [] } } }, {}, "groups.a: must be a list"],
  ])("is refused where it cannot be meant: %j %j %j", (quorum, more, rule, words) => {
    expect(() => readPolicyFile(file(quorum, more, rule), "p.json")).toThrow(words);
  });
});

describe("[QUORUM-WORDS-1] where a quorum stands", () => {
  const vote = { decision: "approve", seat: "group:team", at: "2026-01-31T10:00:00.000Z", assurance: "local" } as const;
  const sam = { ...vote, by: "human:sam", on_behalf_of: null, confirmed: false, unproven: true, comment: null, counts: true };
  const view: QuorumView = {
    need: 2,
    not_alone: false,
    not_requester: false,
    of: ["group:team"],
    order: "parallel",
    rejections: 1,
    requester: null,
    votes: [sam],
    yes: 1,
    no: 0,
    missing: 1,
    waiting_for: ["human:kim", "human:lee"],
    short: null,
  };
  const ticket = { id: "tk_abc", state: "DELIVERED", resolution: null, to: "human:sam", quorum: view } as unknown as Ticket;

  test("is said to the agent that waits, and names everybody at the end", () => {
    expect(outcomeWords(ticket)).toBe(
      "Still open: tk_abc has 1 of 2 approvals (by human:sam); it waits for 1 of human:kim, human:lee.",
    );
    const kim = { ...sam, by: "human:kim", on_behalf_of: "human:lee" };
    const resolution = { outcome: "approved", actor: { kind: "human", id: "human:kim" }, comment: null, edits: null };
    const ended = { ...ticket, state: "APPROVED", resolution, quorum: { ...view, votes: [sam, kim] } } as unknown as Ticket;
    expect(outcomeWords(ended)).toBe("Approved by human:sam and human:kim for human:lee.");
  });

  test("leaves out votes that no longer count, and says what is wrong", () => {
    const short = "It needs 2 approvals, and nobody is left in group:team.";
    const words = quorumWords({ ...view, votes: [{ ...sam, counts: false }], yes: 0, short });
    expect(words).toBe(`0 of 2 approvals; ${short}`);
    expect(quorumWords({ ...view, rejections: 2, no: 1 })).toContain("1 of 2 rejections");
  });
});
