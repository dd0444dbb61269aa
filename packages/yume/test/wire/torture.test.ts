// Every hazard in every wire format where it makes sense. Each ends in a whole turn or in one error: never in a hang, in a
// success that was none, or in a call that was not received whole.
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../src/model/types.ts";
import { createProvider } from "../../src/providers/index.ts";
import { ask, requestOf } from "./ask.ts";
import { type WireName, wireNames } from "./encode-turn.ts";
import { providerOf, startScriptedModel } from "./server.ts";
import { anthropicHazards } from "./torture/anthropic-format.ts";
import { brokenHazards } from "./torture/broken-hazards.ts";
import { callHazards } from "./torture/call-hazards.ts";
import { chatHazards } from "./torture/chat-format.ts";
import { connectionHazards } from "./torture/connection.ts";
import { framingHazards } from "./torture/framing-hazards.ts";
import { geminiHazards } from "./torture/gemini-format.ts";
import { ollamaHazards } from "./torture/ollama-format.ts";
import { refusedHazards } from "./torture/refused-hazards.ts";
import { responsesHazards } from "./torture/responses-format.ts";
import { outcomeOf, type Play, standardParts } from "./torture/scenario.ts";
import { type Section, tortureTable } from "./torture/table.ts";

const sections: Section[] = [
  { title: "Framing", hazards: framingHazards },
  { title: "Streams that break", hazards: brokenHazards },
  { title: "Errors that a server tells", hazards: refusedHazards },
  { title: "Calls", hazards: callHazards },
  { title: "Chat Completions and its imitations", hazards: chatHazards },
  { title: "Responses", hazards: responsesHazards },
  { title: "Anthropic", hazards: anthropicHazards },
  { title: "Gemini", hazards: geminiHazards },
  { title: "Ollama", hazards: ollamaHazards },
];
const happened = new Map<string, string>();
const beyond: [string, string][] = [];

async function play(wire: WireName, { answers, outcome, parts, tells, request, settings }: Play): Promise<string> {
  await using model = await startScriptedModel(answers);
  const provider = await createProvider({
    provider: providerOf[wire],
    env: model.env(wire),
    // Three tries, unless the scenario allows time for more.
    settings: { idleTimeoutMs: 10_000, usageGraceMs: 50, retryMs: 0, ...settings },
  });
  const asked: ModelRequest = requestOf(request);
  const heard = await ask(provider, asked);
  const happens = outcomeOf(heard);
  expect({ outcome: happens, because: heard.error?.message }).toMatchObject({ outcome });
  if (heard.end !== null) expect(heard.end.parts).toEqual(parts ?? standardParts(wire));
  // An error ends the events: nothing that looks like an end came before it.
  else expect(heard.events.some(({ type }) => type === "end")).toBe(false);
  if (tells !== undefined) expect(heard.error?.message).toMatch(tells);
  if (settings?.retryMs === undefined) expect(model.requests.length).toBeLessThanOrEqual(3);
  return happens;
}

for (const { title, hazards } of sections)
  describe.concurrent(title, () => {
    for (const { hazard, plays } of hazards)
      for (const wire of wireNames) {
        const scenario = plays[wire];
        if (scenario !== undefined)
          it(`[YUME-HAZARD-1] ${wire}: ${hazard}`, async () => {
            happened.set(`${hazard}|${wire}`, await play(wire, scenario));
          });
      }
  });

describe("The connection", () => {
  for (const { hazard, outcome, run } of connectionHazards)
    it(`[YUME-HAZARD-1] ${hazard}`, async () => {
      expect(await run()).toBe(outcome);
      beyond.push([hazard, outcome]);
    });
});

describe("docs/yume-torture.md", () => {
  it("[YUME-HAZARD-2] has at least sixty scenarios, and is what just happened", async () => {
    expect(happened.size + beyond.length).toBeGreaterThanOrEqual(60);
    await expect(tortureTable(sections, happened, beyond)).toMatchFileSnapshot("../../../../docs/yume-torture.md");
  });
});
