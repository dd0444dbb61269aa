// The public surface of @hap/protocol: the words and the laws. Pure: no clock, chance, disk or network.
export { answerWords, exampleAnswer, parseAnswer } from "./answer.ts";
export type { KeyView } from "./api-key.ts";
export { type Artifact, type ArtifactBody, describeArtifact, hashBytes, hashIntent } from "./artifact.ts";
export type { Block, Cause, Presentable } from "./block.ts";
export { type CallIdentity, callHash } from "./call-hash.ts";
export { canonicalJson, checkJson, type Json, parseJson } from "./canonical-json.ts";
export { type ChainEvent, verifyChain } from "./chain.ts";
export * from "./constants.ts";
export {
  type ContentMedia,
  type ContentRef,
  ERASED,
  type EraseResult,
  findRefs,
  findRefsInText,
  isRef,
  makeRef,
  mapStrings,
  refDigest,
  refMedia,
  refOf,
  SALT_BYTES,
} from "./content.ts";
export {
  type AgentCard,
  type Attachment,
  attachmentSchema,
  type Conversation,
  type Message,
  makeAgentName,
  parseAgentRuntime,
  type QueueChange,
} from "./conversation.ts";
export {
  CREDENTIAL_KINDS,
  type Credential,
  type CredentialKind,
  type NewCredential,
  newCredentialSchema,
  originSchema,
  rpIdSchema,
  type StoredCredential,
} from "./credential.ts";
export { decodeCursor, encodeCursor, type Position } from "./cursor.ts";
export { type DiffFile, diffFiles, filesOfDetails, normaliseDiff } from "./diff.ts";
export { editableParts } from "./editable-parts.ts";
export { effectWords, tierOfEffect, worstFirst } from "./effect-words.ts";
export { ERROR_KINDS, ERRORS, type ErrorCode, type ErrorKind, HapError, isHapError } from "./errors.ts";
export {
  type CommandPattern,
  matchesPattern,
  mentionsPattern,
  quotePatternWord,
  readCommandPattern,
} from "./grant/command-pattern.ts";
export {
  type GrantInput,
  type GrantNeeds,
  type GrantPreview,
  type GrantProposal,
  type GrantUse,
  type GrantUseView,
  type GrantView,
  grantInputSchema,
  type ParsedGrantInput,
  type SeenCall,
} from "./grant/grant.ts";
export { grantWords, type WordedGrant } from "./grant/grant-words.ts";
export {
  allowsFacts,
  allowsTexts,
  denies,
  type GrantFacts,
  type GrantPatterns,
  type GrantScope,
  type GrantTexts,
  isNeverGranted,
  leavesProject,
} from "./grant/match-grant.ts";
export { type GroupResult, groupKey } from "./group-key.ts";
export { handoverCode } from "./handover-code.ts";
export { eventHash, hashJson, prefixedHash, type Sha256 } from "./hash.ts";
export {
  eventIdSeq,
  ID_BYTES,
  ID_PATTERNS,
  makeEventId,
  makeId,
  makeNonce,
  parseAskerId,
  parseHumanId,
  quote,
  shortCode,
  toIdName,
} from "./identifiers.ts";
export type { Insights } from "./insights.ts";
export { compareCodePoints } from "./key-order.ts";
export { actionOfKey, type KeyAction, keyLabel, keysOf } from "./keymap.ts";
export {
  deliverLease,
  dueStep,
  extendLease,
  isLate,
  type LeaseClock,
  nextDeadline,
  pauseLease,
  reassignLease,
  remainingMs,
  restartLease,
  resumeLease,
  snoozeLease,
  startLease,
  timeoutEnd,
  withinAddedLimit,
} from "./lease.ts";
export { once } from "./once.ts";
export {
  CODE,
  CODE_PURPOSES,
  type CodePurpose,
  LINK_BYTES,
  makeCode,
  makeLinkSecret,
  readCode,
  readLinkSecret,
} from "./one-time-code.ts";
export type {
  AgentQuery,
  EnrolInput,
  EventPage,
  EventQuery,
  JoinInput,
  Needed,
  NewEnrolment,
  NewKey,
  NewMessage,
  PersonView,
  PolicyCheck,
  PolicyDecision,
  Sent,
  Signable,
  TicketPage,
  TicketQuery,
} from "./operations/types.ts";
export { outcomeForPerson } from "./outcome-for-person.ts";
export { parseWith } from "./parse.ts";
export { type FilePatch, type Hunk, parseDiff } from "./parse-diff.ts";
export {
  type BackupErasure,
  type DeletePersonInput,
  type Mention,
  PERSON_DATA_FORMAT,
  type PersonData,
  type PersonDeletion,
  personDataSchema,
  personDeletionSchema,
} from "./person-data.ts";
export { ERASED_PERSON, isErasedPerson, personWords } from "./person-words.ts";
export { makePhrase, PHRASE, PHRASE_DECISIONS, type PhraseDecision, phraseWords, readPhrase } from "./phrase.ts";
export { describeEffect, describeIntent, outcomeWords } from "./plain-words.ts";
export { expandHome, realNames } from "./policy-match.ts";
export { type PolicyFile, type PolicyRule, readPolicyFile } from "./policy-read.ts";
export { loosens, type MatchableCall, type MatchableRule, matchesRule } from "./policy-rules.ts";
export type { PolicyCase, PolicyCaseResult, PolicyPreview, PolicyVersion, Verdict } from "./policy-verdict.ts";
export { blocksOf, PRESENTATION_VERSION, present, presentationText, type Section, sectionsOf } from "./present.ts";
export type { GroupsRule, QuorumRule } from "./quorum/policy-quorum.ts";
export type { QuorumView, StoredQuorum } from "./quorum/quorum.ts";
export { quorumWords } from "./quorum/quorum-words.ts";
export {
  type CountedVote,
  canBeReached,
  counts,
  isRequester,
  mayVoteNext,
  principalOf,
  type Standing,
  seatFor,
  type Tally,
  tally,
  withVote,
} from "./quorum/tally.ts";
export { commentWords, type LineComment, type Review, readReview, writeReview } from "./review.ts";
export { computeRisk, DEFAULT_RISK_TABLE, isTuned, type RiskFactors, type RiskInput, type RiskTable, riskWord } from "./risk.ts";
export {
  type Answer,
  type Ask,
  type AskInput,
  type AskOption,
  answerSchema,
  askSchema,
  FIELD_KINDS,
  type FieldValue,
  type FormField,
  optionSchema,
  type Question,
} from "./schema/ask.ts";
export { type CreateTicketInput, createTicketSchema, parseCreateTicket, type TicketRequest } from "./schema/create-ticket.ts";
export {
  EVENT_FIELDS,
  EVENT_TYPES,
  type EventOf,
  type EventType,
  eventSchema,
  type HapEvent,
  type LoggedEvent,
  type NewEvent,
  type NewEventOf,
} from "./schema/events.ts";
export { oneOf, tokenSchema, words } from "./schema/primitives.ts";
export {
  type LoggedTicket,
  type StoredIntent,
  type StoredResolution,
  storedIntentSchema,
  storedTicketSchema,
} from "./schema/stored.ts";
export {
  type Resolution,
  SIGNATURE_ALGORITHMS,
  type Signature,
  type SignatureAlgorithm,
  type SignedIntent,
  signatureSchema,
  signedIntentSchema,
  type Ticket,
  ticketSchema,
} from "./schema/ticket.ts";
export { carriesSignedForm, SIGNED_FORM_FIELDS } from "./signed-form.ts";
export { readSshPublicKey, readSshSignature } from "./ssh-text.ts";
export { assertStep, EDGES, type Edge, mayStep, nextStates } from "./state-machine.ts";
export {
  type AnyStatement,
  type EndGrantStatement,
  type EnrolStatement,
  type GrantStatement,
  INTENT_STATEMENT,
  type LoginStatement,
  type RevokeStatement,
  type Statement,
  sshNamespace,
  statementHash,
  statementOf,
  statementText,
} from "./statement.ts";
export { findLookAlikes, hasInvisible, quoteShown, showInvisible } from "./text-safety.ts";
export { ticketIdOf } from "./ticket-id-of.ts";
export { holdsText } from "./ticket-text.ts";
export { computeTier, EFFECT_TIERS, type Effect, isEffect } from "./tier.ts";
export { evidenceNote, isUnproven } from "./unproven.ts";
export type {
  BackupReport,
  DraftImport,
  LastVerification,
  VerifyReport,
  Violation,
} from "./verify-report.ts";
export type { DeadLetter, NewWebhook, WebhookFilter, WebhookView } from "./webhook.ts";
export { type Withstands, yesWithstands } from "./withstands.ts";
