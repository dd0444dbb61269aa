// `@hap/protocol/rules`: what a policy's rules need, without the schemas, for programs that must start fast.
export type { ConfineMode } from "./constants.ts";
export { type PolicyFile, readPolicyFile, strictestConfine } from "./policy-read.ts";
export { type MatchableCall, type MatchableRule, matchesRule } from "./policy-rules.ts";
export { computeRisk } from "./risk.ts";
export { computeTier, type Effect } from "./tier.ts";
