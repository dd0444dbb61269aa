import { expect, test } from "vitest";
import { makePhrase, phraseWords, readPhrase } from "./phrase.ts";

const ticket = (environment: string | null) =>
  ({ artifact: { environment }, intent: { kind: "run_command" } }) as unknown as Parameters<typeof phraseWords>[0];

test("[ASSURE-PHRASE-4] a phrase names the decision and its target, and ends in four characters of chance", () => {
  const chance = new Uint8Array([2, 3, 12, 8]);
  expect(makePhrase(phraseWords(ticket("production"), "approve"), chance)).toBe("approve production 23c8");
  expect(makePhrase(phraseWords(ticket(null), "answer"), chance)).toBe("answer run_command 23c8");
});

test("[ASSURE-PHRASE-4] it is known however it was typed, and only that one", () => {
  expect(readPhrase("  Approve   production 23C8 ")).toBe("approve production 23c8");
  expect(readPhrase("approve production 23c9")).not.toBe("approve production 23c8");
});
