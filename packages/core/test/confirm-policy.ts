// Putting a policy in force in tests as a person does: with the phrase that the engine issues for it.
import type { HapEngine } from "../src/index.ts";

/** Confirm the user's policy file as it is. */
export function trustPolicy(engine: HapEngine, { by, hash }: { by?: string; hash?: string } = {}) {
  const seen = hash ?? engine.userPolicyStatus().hash;
  return engine.trustPolicy({ by, hash: seen, phrase: engine.issuePolicyPhrase({ by, hash: seen }).phrase });
}

/** Write a policy and confirm it. */
export function savePolicy(engine: HapEngine, { by, text, replaces }: { by?: string; text: string; replaces: string | null }) {
  return engine.savePolicy({ by, text, replaces, phrase: engine.issuePolicyPhrase({ by, text }).phrase });
}
