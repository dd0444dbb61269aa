// The fast judgement, without the store: what the shipped policy says, unless a policy file tightens it. Pure but for the two
// files. A yes from here is final; everything else goes on to the engine, where rules that loosen can count (D5).

import { type DefaultRule, defaultRule } from "./default-policy.ts";
import type { DescribedCall } from "./describe-call.ts";
import { tightens } from "./policy-files.ts";

/** `ask_engine`: the shipped policy asks, or a file says something about this call. */
export type Judgement = { verdict: "allow" | "ask_engine"; rule: DefaultRule };

/** Judge a call. */
export function judge(described: DescribedCall): Judgement {
  const { call, harmless } = described;
  const rule = defaultRule(call, harmless);
  if (rule.verdict !== "allow") return { verdict: "ask_engine", rule };
  return { verdict: tightens(call.home, call.project, call) === "no" ? "allow" : "ask_engine", rule };
}
