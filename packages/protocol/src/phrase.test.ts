import { expect, test } from "vitest";
import { makePhrase, phraseWords, readPhrase } from "./phrase.ts";

const ticket = (environment: string | null, details: Record<string, unknown> = {}) =>
  ({ artifact: { environment }, intent: { kind: "run_command", details } }) as unknown as Parameters<typeof phraseWords>[0];

test("[ASSURE-PHRASE-4] a phrase names the decision and its target, and ends in four characters of chance", () => {
  const chance = new Uint8Array([2, 3, 12, 8]);
  expect(makePhrase(phraseWords(ticket("production"), "approve"), chance)).toBe("approve production 23c8");
  expect(makePhrase(phraseWords(ticket(null), "answer"), chance)).toBe("answer run command 23c8");
  expect(phraseWords(ticket(null, { command: "git push -f origin main" }), "approve")).toBe("approve git push");
  expect(phraseWords(ticket(null, { command: "Rm -rf /var" }), "approve")).toBe("approve rm");
  expect(phraseWords(ticket(null, { command: "$(evil) x" }), "approve")).toBe("approve run command");
  expect(phraseWords(ticket(null, { file: "src/Session.ts" }), "approve")).toBe("approve session.ts");
  expect(phraseWords(ticket("production", { command: "make deploy" }), "approve")).toBe("approve production");
});

test("[ASSURE-PHRASE-4] it is known however it was typed, and only that one", () => {
  expect(readPhrase("  Approve   production 23C8 ")).toBe("approve production 23c8");
  expect(readPhrase("approve production 23c9")).not.toBe("approve production 23c8");
});
