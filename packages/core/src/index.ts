// The public surface of @hap/core: the engine, and what its callers name.
export type {
  DeadLetter,
  EraseResult,
  Insights,
  KeyView,
  LastVerification,
  NewWebhook,
  PolicyPreview,
  Role,
  Verdict,
  VerifyReport,
  Violation,
  WebhookView,
} from "@hap/protocol";
export type { By } from "./asking-engine.ts";
export { Classifier } from "./classifier/classifier.ts";
export type { NewAttachment } from "./conversation/attachments.ts";
export type { AgentQuery, JoinInput, NewMessage } from "./conversation-engine.ts";
export type { CredentialRecord, UsedCredential } from "./credentials/record.ts";
export {
  type CredentialSource,
  type SignatureProof,
  type SignatureVerifier,
  verifyEnrolled,
} from "./credentials/verify-signature.ts";
export type { DecisionInput } from "./decision.ts";
export { ownCommand, resolveDbPath } from "./defaults.ts";
export { type DecideOptions, HapEngine, LOCAL_AGENT } from "./engine.ts";
export type { HapEngineOptions } from "./engine-base.ts";
export type { EventQuery } from "./events.ts";
export { realWorld, sha256, type World } from "./facts.ts";
export type { SignIn } from "./identity-engine.ts";
export type { ListQuery, TicketPage } from "./list.ts";
export type { EraseRequest } from "./log/erase.ts";
export type { Policies } from "./policy.ts";
export type { NewPushSubscription, PushCall, PushNotice } from "./push-engine.ts";
export type { OpenTickets, TicketFacts } from "./reading-engine.ts";
export type { DueDelivery } from "./webhook-engine.ts";
