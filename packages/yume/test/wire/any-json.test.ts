// Whatever JSON a server sends: a decoder takes it, passes over it, or throws a ModelError. It never crashes, and a call that it
// gives has a name, an id of its own and an object as input.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/model/types.ts";
import { errorFromEvent } from "../../src/providers/transport/http-error.ts";
import { wires } from "./all-wires.ts";
import { requestOf } from "./ask.ts";
import { encodeTurn, type WireName, wireNames } from "./encode-turn.ts";

/** Fields and words of every format, so that nonsense comes near to sense. */
const fields = (
  "id model object type index name arguments function tool_calls choices delta message content role finish_reason usage error code status " +
  "item item_id call_id output_index output response summary content_block partial_json text thinking stop_reason signature data " +
  "candidates parts functionCall args thoughtSignature thought finishReason promptFeedback usageMetadata done done_reason details"
).split(" ");
const words = (
  "function_call message reasoning tool_use text thinking response.completed response.output_item.added response.output_item.done " +
  "response.function_call_arguments.delta content_block_start content_block_delta input_json_delta text_delta message_delta message_stop STOP stop {} [DONE]"
).split(" ");

const leaf = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ maxLength: 6 }),
  fc.integer({ min: -2, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...fields), tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

/** A real event with one of its values replaced. */
const disturbed = (wire: WireName) => {
  const events = encodeTurn(wire, {
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "hi" },
      { type: "tool_use", id: "c", name: "Read", input: { a: 1 } },
    ],
  })
    .map((event) => event.replace(/^(event: .*\n)?data: /, "").trim())
    .filter((json) => json.startsWith("{"));
  return fc.tuple(fc.constantFrom(...events), fc.nat({ max: 40 }), value).map(([json, place, other]) => {
    let seen = 0;
    return JSON.parse(json, (_key, inner) => (seen++ === place ? other : inner)) as unknown;
  });
};

describe.each(wireNames)("%s", (wire) => {
  it("[YUME-WIRE-7] takes any JSON without a crash, and gives only calls that can be run", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(disturbed(wire), value), { maxLength: 12 }), (events) => {
        const chosen = wires[wire]();
        const decoder = chosen.decoder(requestOf());
        try {
          for (const event of events) {
            const error = errorFromEvent(event, chosen);
            if (error !== null) throw error;
            decoder.take(event, null);
            decoder.drain();
          }
          if (decoder.state === "open") return;
          const end = decoder.end();
          if (end.type !== "end") throw new Error("no end");
          const calls = end.parts.filter((part) => part.type === "tool_use");
          expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
          for (const { id, name, input } of calls) {
            expect([id, name].every((text) => typeof text === "string" && text !== "")).toBe(true);
            expect(typeof input === "object" && input !== null && !Array.isArray(input)).toBe(true);
          }
          for (const count of Object.values(end.usage)) expect(Number.isInteger(count) && count >= 0).toBe(true);
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
        }
      }),
      { numRuns: 1500 },
    );
  });
});
