// The shipped policy: a readable file, `default-policy.json`, in the form of every policy. Its rules answer where no rule of the
// user or the project does. Only it has `proven`, `confinable`, `searches_outside`, `public_web` and the verdict `confine` (D33).
import { type MatchableCall, type MatchableRule, matchesRule } from "@hap/protocol/rules";
import shipped from "../default-policy.json" with { type: "json" };

/** A rule of the shipped policy. */
export type DefaultRule = Omit<MatchableRule, "verdict"> & {
  id: string;
  why: string;
  verdict: MatchableRule["verdict"] | "confine";
  proven?: boolean;
  confinable?: boolean;
  searches_outside?: boolean;
  public_web?: boolean;
};

/** What the classification says beyond effects. */
type Shown = { readonly [what in "proven" | "confinable" | "searchesOutside" | "publicWeb"]: boolean };

const RULES = shipped.rules as readonly DefaultRule[];

/** The first rule that matches; the last one matches everything. */
export function defaultRule(call: MatchableCall, shown: Shown): DefaultRule {
  const rule = RULES.find(
    (candidate) =>
      (candidate.proven !== true || shown.proven) &&
      (candidate.confinable !== true || shown.confinable) &&
      (candidate.searches_outside !== true || shown.searchesOutside) &&
      (candidate.public_web !== true || shown.publicWeb) &&
      matches(candidate, call),
  );
  if (rule === undefined) throw new Error("The shipped policy answers nothing here; its last rule must match everything.");
  return rule;
}

/** `proven` and `confinable` already say that all of the command fits, so a rule with them must match as one that loosens. */
function matches({ verdict, ...rule }: DefaultRule, call: MatchableCall): boolean {
  return matchesRule({ ...rule, verdict: verdict === "confine" ? "allow" : verdict }, call);
}
