// The log and the policy: verify it, read it in numbers, and decide which rules apply.

import type { PolicyCase, PolicyCaseResult, PolicyPreview, PolicyVersion } from "../../policy-verdict.ts";
import type { LastVerification, VerifyReport } from "../../verify-report.ts";
import { operation } from "../operation.ts";
import type { Shapes } from "../shapes.ts";
import type { CountQuery, PolicyCheck } from "../types.ts";

const policy = { method: "POST", tag: "policy", who: "owner" } as const;
const inForce = (s: Shapes) => s.object({ path: s.string(), hash: s.string() });

/** Operations of people on the log and the policy. */
export const logOperations = {
  /** The end of the chain, who could have written it, and what made the store read-only, if anything. */
  logHealth: operation({
    id: "logHealth",
    method: "GET",
    path: "/v1/log",
    tag: "log",
    summary: "The end of the chain, who could have written it, and whether anything is wrong with it",
    who: "person",
    output: (s) =>
      s.object({
        seq: s.int(),
        hash: s.string(),
        cursor: s.string().nullable(),
        trust: s.trust(),
        violation: s.string().nullable(),
        last_verification: s
          .object({
            at: s.string(),
            ok: s.boolean(),
            events: s.int(),
            head: s.string(),
            chain_only: s.boolean(),
            problem: s.string().nullable(),
          } satisfies { [K in keyof LastVerification]: unknown })
          .nullable(),
      }),
    answer: "The log's health",
    call: () => ({}),
  }),
  verify: operation({
    id: "verifyLog",
    method: "POST",
    path: "/v1/log/verify",
    tag: "log",
    summary: "Check the log: sequence, hashes, legality, texts, tickets; for owners and auditors. What was found is kept",
    who: "person",
    input: (s) => s.object({ chain_only: s.boolean().optional() }),
    output: (s) => s.json<VerifyReport>(),
    answer: "What was found",
    call: (options: { chainOnly?: boolean } = {}) => ({ chain_only: options.chainOnly === true }),
  }),
  /** How many tickets wait for whom, as far as one may know. */
  waiting: operation({
    id: "waiting",
    method: "GET",
    path: "/v1/waiting",
    tag: "tickets",
    summary: "How many tickets wait for whom; one's own alone for those without a role",
    who: "person",
    output: (s) => s.object({ waiting: s.array(s.object({ person: s.string(), tickets: s.int() })) }),
    answer: "People with open tickets, most first",
    call: () => ({}),
    give: "waiting",
  }),
  /** How many tickets a list has in all, and in each group. */
  counts: operation({
    id: "countTickets",
    method: "GET",
    path: "/v1/ticket-counts",
    tag: "tickets",
    summary: "How many tickets that one may see there are, in all and by priority, agent, project or session",
    who: "person",
    input: (s) =>
      s.object({
        to: s.text(80).optional(),
        from: s.text(80).optional(),
        state: s.states(),
        kind: s.text(64).optional(),
        project: s.text(4096).optional(),
        session: s.text(64).optional(),
        tier: s.tier().optional(),
        by: s.enum(["priority", "from", "project", "session"]).optional(),
        awake: s.flag().optional().meta({ description: "Leave out tickets that were snoozed" }),
      }),
    output: (s) => s.object({ total: s.int(), groups: s.array(s.object({ key: s.string().nullable(), count: s.int() })) }),
    answer: "The numbers",
    call: (query: CountQuery = {}) => query,
  }),
  /** Latency, timeouts, risk and load over the last days, a week unless stated. */
  insights: operation({
    id: "insights",
    method: "GET",
    path: "/v1/insights",
    tag: "log",
    summary: "Latency by priority, timeouts, risk, load per person and refused decisions, over the last days",
    who: "person",
    input: (s) => s.object({ days: s.whole(1, 365).optional() }),
    output: (s) => s.insights(),
    answer: "Numbers, from the newest tickets and events",
    call: (days?: number) => ({ days }),
  }),
  /** The user's policy as it is now, and whether it is confirmed. */
  policy: operation({
    id: "getPolicy",
    method: "GET",
    path: "/v1/policy",
    tag: "policy",
    summary: "The user's policy as it is now, and whether it is confirmed",
    who: "person",
    input: (s) =>
      s.object({
        or_none: s.flag().optional().meta({ description: "Answer an empty text and an empty hash where there is no file" }),
      }),
    output: (s) => s.object({ path: s.string(), hash: s.string(), trusted: s.boolean(), text: s.string() }),
    answer: "The policy",
    call: (options: { or_none?: boolean } = {}) => options,
  }),
  /** The policies that were confirmed, the newest first. */
  policyVersions: operation({
    id: "listPolicyVersions",
    method: "GET",
    path: "/v1/policy/versions",
    tag: "policy",
    summary: "The policies that were confirmed, by whom and when, the newest first",
    who: "person",
    output: (s) => s.object({ versions: s.array(s.json<PolicyVersion>()) }),
    answer: "At most a hundred",
    call: () => ({}),
    give: "versions",
  }),
  /** The text of a policy that was confirmed. */
  policyVersion: operation({
    id: "getPolicyVersion",
    method: "GET",
    path: "/v1/policy/versions/{hash}",
    tag: "policy",
    summary: "The text of a policy that was confirmed, by its hash or the beginning of it",
    who: "person",
    input: (s) => s.object({ hash: s.text(80) }),
    output: (s) => s.object({ hash: s.string(), text: s.string() }),
    answer: "The policy",
    call: (hash: string) => ({ hash }),
  }),
  /** Confirms the file that the person saw: if it changed since, nothing is confirmed. */
  trustPolicy: operation({
    ...policy,
    id: "trustPolicy",
    path: "/v1/policy/trust",
    summary: "Confirm the policy that the person saw, with the phrase that was issued for it",
    input: (s) => s.object({ hash: s.text(80), phrase: s.text(200).optional() }),
    output: inForce,
    answer: "What is in force now",
    call: (options: { hash: string; phrase: string }) => options,
  }),
  savePolicy: operation({
    ...policy,
    id: "savePolicy",
    path: "/v1/policy",
    summary: "Write the user's policy and confirm it, if it is still the one that the person saw",
    input: (s) => s.object({ text: s.text(200_000), replaces: s.text(80).nullable(), phrase: s.text(200).optional() }),
    maxBytes: 512 * 1024,
    output: inForce,
    answer: "What is in force now",
    call: (input: { text: string; replaces: string | null; phrase: string }) => input,
  }),
  /** The phrase that puts a policy in force, by its hash or its text: show it to the person alone, and send what they type. */
  issuePolicyPhrase: operation({
    ...policy,
    id: "issuePolicyPhrase",
    path: "/v1/policy/phrase",
    summary:
      "The phrase that puts a policy in force, by its hash or its text; for the page alone: a token gets the page's address",
    input: (s) => s.object({ hash: s.text(80).optional(), text: s.text(200_000).optional() }),
    maxBytes: 512 * 1024,
    status: 201,
    output: (s) => s.object({ phrase: s.string(), expires_at: s.string() }),
    answer: "The phrase, for one use by this person",
    call: (policyOf: { hash: string } | { text: string }) => policyOf,
  }),
  previewPolicy: operation({
    ...policy,
    id: "previewPolicy",
    path: "/v1/policy/preview",
    summary: "How a proposed policy would have answered the last 200 tickets; writes nothing",
    input: (s) => s.object({ text: s.text(200_000) }),
    maxBytes: 512 * 1024,
    output: (s) => s.json<PolicyPreview>(),
    answer: "Its answer to each ticket, and how that really ended",
    call: (text: string) => ({ text }),
  }),
  /** What a policy says to actions given as data, and whether that is what was expected; writes nothing. */
  testPolicy: operation({
    ...policy,
    id: "testPolicy",
    path: "/v1/policy/test",
    summary: "What a policy says to actions given as data, and whether that is what was expected; writes nothing",
    input: (s) =>
      s.object({
        text: s.text(200_000),
        cases: s
          .array(
            s.object({
              name: s.text(200),
              input: s.anyObject(),
              expect: s.object({
                verdict: s.enum(["allow", "ask", "deny"]),
                rule: s.text(64).nullish(),
                to: s.text(80).nullish(),
                need: s.int().min(0).max(20).optional(),
              }),
            }),
          )
          .max(1000),
      }),
    maxBytes: 4 * 1024 * 1024,
    output: (s) => s.object({ results: s.array(s.json<PolicyCaseResult>()) }),
    answer: "A result for each case",
    call: (text: string, cases: PolicyCase[]) => ({ text, cases }),
    give: "results",
  }),
  /** How the policy would answer a ticket; writes nothing. */
  checkPolicy: operation({
    ...policy,
    id: "checkPolicy",
    path: "/v1/policy/check",
    summary: "How the policy would answer a ticket; writes nothing",
    who: "person",
    input: (s) => s.anyObject(),
    needsBody: true,
    output: (s) => s.json<PolicyCheck>(),
    answer: "The verdict, and what the runtime found",
    call: (input: Record<string, unknown>) => input,
  }),
};
