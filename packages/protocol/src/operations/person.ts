// What only people do (D2): decide, and look after policy, log, keys and people.
import { eitherOperations } from "./either.ts";
import { conversationOperations } from "./person/conversations.ts";
import { credentialOperations } from "./person/credentials.ts";
import { decisionOperations } from "./person/decisions.ts";
import { grantOperations } from "./person/grants.ts";
import { identityOperations } from "./person/identity.ts";
import { logOperations } from "./person/log.ts";
import { rightsOperations } from "./person/rights.ts";
import { sampleOperations } from "./person/sample.ts";

export type { DecisionWords } from "./person/decisions.ts";
export type {
  conversationOperations,
  credentialOperations,
  decisionOperations,
  grantOperations,
  identityOperations,
  logOperations,
  rightsOperations,
  sampleOperations,
};

const { createTicket: _agents, ...either } = eitherOperations;

/** By name, since the table written out is longer than the compiler writes into declarations. */
type PersonOperations = Omit<typeof eitherOperations, "createTicket"> &
  typeof decisionOperations &
  typeof logOperations &
  typeof conversationOperations &
  typeof credentialOperations &
  typeof grantOperations &
  typeof identityOperations &
  typeof rightsOperations &
  typeof sampleOperations;

/** Every operation that people may call. */
export const personOperations: PersonOperations = {
  ...either,
  ...decisionOperations,
  ...logOperations,
  ...conversationOperations,
  ...credentialOperations,
  ...grantOperations,
  ...identityOperations,
  ...rightsOperations,
  ...sampleOperations,
};
