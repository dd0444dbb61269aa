// The public surface of @hap/core: the engine, and what its callers name.

export type { NewAttachment } from "./conversation/attachments.ts";
export type { AgentQuery, JoinInput, NewMessage } from "./conversation-engine.ts";
export type { DecisionInput } from "./decision.ts";
export { localPerson, resolveDbPath } from "./defaults.ts";
export { type By, type DecideOptions, HapEngine, LOCAL_AGENT } from "./engine.ts";
export type { HapEngineOptions } from "./engine-base.ts";
export type { EventQuery } from "./events.ts";
export { realWorld, sha256, type World } from "./facts.ts";
export type { ListQuery, TicketPage } from "./list.ts";
export type { EraseRequest, EraseResult } from "./log/erase.ts";
export type { VerifyReport, Violation } from "./log/verify.ts";
export type { Policies, PolicyRule } from "./policy.ts";
export type { Verdict } from "./policy-verdict.ts";
export type { SignatureProof, SignatureVerifier } from "./verify-intent.ts";
