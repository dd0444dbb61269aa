// The same answer, cut after every single byte: it is the whole turn or an error, and never a call that was not received whole.
import { describe, expect, it } from "vitest";
import { ModelError, type ModelEvent } from "../../src/model/types.ts";
import { readTurn } from "../../src/providers/read-turn.ts";
import { wires } from "./all-wires.ts";
import { requestOf } from "./ask.ts";
import { contentTypeOf, encodeTurn, type ScriptedTurn, type WireName, wireNames } from "./encode-turn.ts";

const turn: ScriptedTurn = {
  content: [
    { type: "text", text: "Grüße" },
    { type: "tool_use", id: "c1", name: "Write", input: { path: "/ä", content: "{}" } },
    { type: "tool_use", id: "c2", name: "LS", input: {} },
  ],
};

async function hear(wire: WireName, chunks: Uint8Array[], broken: boolean): Promise<ModelEvent[] | ModelError> {
  async function* body() {
    yield* chunks;
    if (broken) throw new ModelError("broken_stream", "the connection broke");
  }
  const chosen = wires[wire]();
  const answer = { headers: { "content-type": contentTypeOf(wire) }, body: body(), stop() {}, release() {} };
  const events: ModelEvent[] = [];
  try {
    for await (const event of readTurn(answer, chosen, chosen.decoder(requestOf()), {
      idleTimeoutMs: 60_000,
      usageGraceMs: 60_000,
    }))
      events.push(event);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  return events;
}

const endOf = (heard: ModelEvent[] | ModelError) => (heard instanceof ModelError ? null : heard.at(-1));

describe.each(wireNames)("%s", (wire) => {
  const bytes = Buffer.from(encodeTurn(wire, turn).join(""));

  it("[YUME-WIRE-4] cut after any byte, it is whole or an error", async () => {
    const whole = endOf(await hear(wire, [bytes], false));
    expect(whole).toMatchObject({ type: "end", stop_reason: "tool_use" });
    const wholeParts = whole?.type === "end" ? whole.parts : [];
    expect(wholeParts.filter(({ type }) => type === "tool_use")).toHaveLength(2);
    let complete = 0;
    for (let length = 0; length < bytes.length; length++)
      for (const broken of [false, true]) {
        const heard = await hear(wire, [bytes.subarray(0, length)], broken);
        const end = endOf(heard);
        if (end === null) expect((heard as ModelError).kind, `${length}`).toBe("broken_stream");
        else {
          complete++;
          expect(end, `${length}`).toMatchObject({ type: "end", parts: wholeParts });
        }
      }
    // Only what comes after the reason may be missing.
    expect(complete / 2).toBeLessThan(bytes.length / 2);
  });
});
