// Server-sent events, as they arrive. Any chunking of the same text gives the same events.

/** One event: its name (null when it has none) and its data lines, joined. */
export type SseEvent = { event: string | null; data: string };

/** Reads text as it comes; `end` gives what a server left without the closing empty line. */
export class SseParser {
  #line: string[] = [];
  #afterCarriageReturn = false;
  #event: string | null = null;
  #data: string[] = [];

  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let start = 0;
    if (this.#afterCarriageReturn && text !== "") {
      // The second half of a CRLF that was split.
      if (text[0] === "\n") start = 1;
      this.#afterCarriageReturn = false;
    }
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = start;
    for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
      this.#line.push(text.slice(start, found.index));
      start = found.index + found[0].length;
      this.#takeLine(this.#line.join(""), events);
      this.#line = [];
      if (found[0] === "\r" && start === text.length) this.#afterCarriageReturn = true;
    }
    if (start < text.length) this.#line.push(text.slice(start));
    return events;
  }

  end(): SseEvent[] {
    const events: SseEvent[] = [];
    if (this.#line.length > 0) this.#takeLine(this.#line.join(""), events);
    this.#line = [];
    this.#takeLine("", events);
    return events;
  }

  #takeLine(line: string, events: SseEvent[]): void {
    if (line === "") {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join("\n") });
      this.#data = [];
      this.#event = null;
      return;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const rest = colon === -1 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    // A line that begins with a colon is a comment: its field is empty. `id` and `retry` mean nothing for a model.
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value === "" ? null : value;
  }
}
