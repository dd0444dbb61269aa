// The shipped policy: a readable file, `default-policy.json`, in the form of every policy. Its rules answer where no rule of the
// user or the project does; `harmless` is the one condition that only it has.
import { type Call, type MatchableRule, matchesRule } from "@hap/protocol/rules";
import shipped from "../default-policy.json" with { type: "json" };

/** A rule of the shipped policy. */
export type DefaultRule = MatchableRule & { id: string; why: string; harmless?: boolean };

const RULES = shipped.rules as readonly DefaultRule[];

/** The first rule that matches; the last one matches everything. */
export function defaultRule(call: Call, harmless: boolean): DefaultRule {
  const rule = RULES.find((candidate) => (candidate.harmless !== true || harmless) && matchesRule(candidate, call));
  if (rule === undefined) throw new Error("The shipped policy answers nothing here; its last rule must match everything.");
  return rule;
}
