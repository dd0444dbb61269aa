// The fast judgement, without the store: what the shipped policy says, unless a policy file tightens it. Pure but for the two
// files. A yes from here is final; everything else goes on to the engine, where rules that loosen can count (D5).

import { type DefaultRule, defaultRule } from "./default-policy.ts";
import type { DescribedCall } from "./describe-call.ts";
import { tightens } from "./policy-files.ts";

/**
 * `confine`: a command that is not proven, and needs nothing from outside: it may run in a sandbox without a person (D33).
 * `ask_engine`: the shipped policy asks, or a file says something about this call.
 */
export type Judgement = { verdict: "allow" | "confine" | "ask_engine"; rule: DefaultRule };

/** Judge a call. */
export function judge(described: DescribedCall): Judgement {
  const { call, proven, confinable, searchesOutside, publicWeb } = described;
  const rule = defaultRule(call, { proven, confinable, searchesOutside, publicWeb });
  if (rule.verdict !== "allow" && rule.verdict !== "confine") return { verdict: "ask_engine", rule };
  return { verdict: tightens(call.home, call.project, call) === "no" ? rule.verdict : "ask_engine", rule };
}
