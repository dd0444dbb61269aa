// Framing without a network: any way of cutting the same bytes into chunks gives the same events.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineParser } from "../../src/providers/stream/lines.ts";
import { type Framing, readEvents } from "../../src/providers/stream/read-events.ts";
import { type SseEvent, SseParser } from "../../src/providers/stream/sse.ts";

/** The bytes, cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...at, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : at[i - 1], end));
}

async function eventsOf(chunks: readonly Uint8Array[], framing: Framing): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  async function* body() {
    yield* chunks;
  }
  for await (const some of readEvents(body(), framing)) events.push(...some);
  return events;
}

const places = fc.array(fc.nat({ max: 5000 }), { maxLength: 60 });
const text = fc.string({ unit: "binary", maxLength: 40 }).filter((s) => s.isWellFormed());
const oneLine = text.map((s) => s.replace(/[\r\n]/g, "·"));
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");

describe("server-sent events", () => {
  it("[YUME-FRAME-1] any chunking of any bytes gives the events of the whole", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        places,
        fc.constantFrom("sse", "ndjson", "json"),
        async (bytes, at, framing) => {
          expect(await eventsOf(cut(bytes, at), framing)).toEqual(await eventsOf([bytes], framing));
        },
      ),
    );
  });

  it("[YUME-FRAME-1] what was written comes out, with any line ends, comments and chunks", async () => {
    const event = fc.record({
      name: fc.option(oneLine.filter((s) => s !== "")),
      lines: fc.array(oneLine, { minLength: 1, maxLength: 3 }),
      comment: oneLine,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), lineEnd, places, async (written, end, at) => {
        const wire = written
          .map(({ name, lines, comment }) =>
            [`:${comment}`, ...(name === null ? [] : [`event: ${name}`]), ...lines.map((line) => `data: ${line}`), "", ""].join(
              end,
            ),
          )
          .join("");
        const events = await eventsOf(cut(Buffer.from(wire), at), "sse");
        expect(events).toEqual(written.map(({ name, lines }) => ({ event: name, data: lines.join("\n") })));
      }),
    );
  });

  it("[YUME-FRAME-1] an event is given as soon as its empty line is there", () => {
    const parser = new SseParser();
    expect(parser.push("data: 1\n")).toEqual([]);
    expect(parser.push("\n")).toEqual([{ event: null, data: "1" }]);
    expect(parser.push("data: 2\r\n\r")).toEqual([{ event: null, data: "2" }]);
    // The other half of a CRLF is no second empty line.
    expect(parser.push("\ndata: 3\r\r")).toEqual([{ event: null, data: "3" }]);
    expect(parser.push("data: 4")).toEqual([]);
    expect(parser.end()).toEqual([{ event: null, data: "4" }]);
  });
});

describe("newline-delimited JSON", () => {
  it("[YUME-FRAME-1] what was written comes out, with any chunks and empty lines", async () => {
    const value = fc.json({ maxDepth: 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 8 }),
        fc.constantFrom("\n", "\r\n", "\n\n"),
        fc.boolean(),
        places,
        async (values, end, closed, at) => {
          const wire = values.join(end) + (closed ? end : "");
          const events = await eventsOf(cut(Buffer.from(wire), at), "ndjson");
          expect(events.map(({ data }) => data)).toEqual(values);
        },
      ),
    );
  });

  it("[YUME-FRAME-1] a line is given as soon as its end is there", () => {
    const parser = new LineParser();
    expect(parser.push('{"a"')).toEqual([]);
    expect(parser.push(':1}\n{"b":2}\r\n\n{')).toEqual(['{"a":1}', '{"b":2}']);
    expect(parser.end()).toEqual(["{"]);
    expect(parser.end()).toEqual([]);
  });
});

describe("UTF-8", () => {
  it("[YUME-FRAME-1] characters that are cut come out whole, and bytes that are none never break the text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", maxLength: 30 }),
        fc.uint8Array({ maxLength: 4 }),
        places,
        async (words, noise, at) => {
          const bytes = Buffer.concat([
            Buffer.from("data: "),
            Buffer.from(words.replace(/[\r\n]/g, "")),
            noise.filter((byte) => byte > 0x7f),
            Buffer.from("\n\n"),
          ]);
          const [event] = await eventsOf(cut(bytes, at), "sse");
          expect(event?.data.isWellFormed()).toBe(true);
          expect(event?.data.startsWith(words.replace(/[\r\n]/g, "").slice(0, -1))).toBe(true);
        },
      ),
    );
  });

  it.each([
    ["an event", "x"],
    ["an answer", "data: x\n\n"],
  ])("[YUME-FRAME-2] %s that never ends is given up before it fills the memory", async (_what, piece) => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1000 * piece.length;
        yield Buffer.from(piece.repeat(1000));
      }
    }
    const read = async () => {
      for await (const _ of readEvents(endless(), "sse", { eventChars: 50_000, totalChars: 100_000 }));
    };
    await expect(read()).rejects.toMatchObject({ kind: "bad_output", message: expect.stringMatching(/characters/) });
    expect(sent).toBeLessThan(120_000);
  });
});
