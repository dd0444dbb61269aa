// Bytes to events: incremental UTF-8 (bytes that are none become U+FFFD), then SSE or one JSON value a line.
import { PermanentModelError } from "../permanent-error.ts";
import { LineParser } from "./lines.ts";
import { type SseEvent, SseParser } from "./sse.ts";

export type Framing = "sse" | "ndjson" | "json";

/** What no model sends; what is longer would only fill the memory. */
type Limits = { eventChars: number; totalChars: number };
const generous: Limits = { eventChars: 64 * 1024 * 1024, totalChars: 256 * 1024 * 1024 };

/** What a body says, event by event; `json` is a body that is one event as a whole. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  framing: Framing,
  { eventChars, totalChars }: Limits = generous,
): AsyncGenerator<SseEvent[]> {
  const utf8 = new TextDecoder("utf-8");
  const parser = framing === "sse" ? new SseParser() : framing === "ndjson" ? asEvents(new LineParser()) : new WholeParser();
  let sinceEvent = 0;
  let total = 0;
  for await (const chunk of body) {
    const text = utf8.decode(chunk, { stream: true });
    sinceEvent += text.length;
    total += text.length;
    if (sinceEvent > eventChars) throw tooLong(`an event of more than ${eventChars} characters`);
    if (total > totalChars) throw tooLong(`more than ${totalChars} characters in one answer`);
    const events = parser.push(text);
    if (events.length > 0) {
      sinceEvent = 0;
      yield events;
    }
  }
  const last = [...parser.push(utf8.decode()), ...parser.end()];
  if (last.length > 0) yield last;
}

const tooLong = (what: string) => new PermanentModelError("bad_output", `the provider sent ${what}`);

function asEvents(lines: LineParser): Pick<SseParser, "push" | "end"> {
  const wrap = (line: string): SseEvent => ({ event: null, data: line });
  return { push: (text) => lines.push(text).map(wrap), end: () => lines.end().map(wrap) };
}

class WholeParser {
  #text: string[] = [];

  push(text: string): SseEvent[] {
    this.#text.push(text);
    return [];
  }

  end(): SseEvent[] {
    const data = this.#text.join("").trim();
    return data === "" ? [] : [{ event: null, data }];
  }
}
