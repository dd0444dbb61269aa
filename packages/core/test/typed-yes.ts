// What a person types to confirm a yes: the phrase that the engine issues for the ticket (D3).
import type { PhraseDecision } from "@hap/protocol";
import type { HapEngine } from "../src/index.ts";

export function typedYes(engine: HapEngine, id: string, by?: string, decision: PhraseDecision = "approve"): { phrase: string } {
  return { phrase: engine.issuePhrase(id, { decision, ...(by === undefined ? {} : { by }) }).phrase };
}
