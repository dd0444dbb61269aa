// Hazards of the framing, which every format has.
import { gzipSync } from "node:zlib";
import { frame, type WireName } from "../encode-turn.ts";
import {
  again,
  everywhere,
  greeting,
  type Hazard,
  raw,
  sse,
  standard,
  standardEvents,
  standardParts,
  withoutEnd,
} from "./scenario.ts";

/** Between the events of a turn, something that means nothing. */
const interleaved = (wire: WireName, nothing: string) => standardEvents(wire).flatMap((event) => [nothing, event]);

const meaningless: Record<WireName, string> = {
  chat: frame("chat", { id: "x", object: "chat.completion.chunk", choices: [] }),
  responses: frame("responses", { type: "response.some_new_event", sequence_number: 3 }),
  anthropic: frame("anthropic", { type: "ping" }),
  gemini: frame("gemini", { responseId: "x" }),
  ollama: frame("ollama", { model: "scripted", message: { role: "assistant", content: "" }, done: false }),
};

/** The bytes of a turn in pieces of three, so that characters of two and four bytes are cut. */
const inThrees = (wire: WireName) => {
  const bytes = Buffer.from(standardEvents(wire).join(""));
  return Array.from({ length: Math.ceil(bytes.length / 3) }, (_, i) => bytes.subarray(i * 3, i * 3 + 3));
};

export const framingHazards: Hazard[] = [
  everywhere("nothing wrong", () => ({ answers: [standard], outcome: "turn" })),
  everywhere("one byte at a time", (wire) => ({ answers: [raw(standardEvents(wire), { split: "bytes" })], outcome: "turn" })),
  everywhere("several events in one chunk", (wire) => ({
    answers: [raw(standardEvents(wire), { split: "joined" })],
    outcome: "turn",
  })),
  everywhere("UTF-8 split across chunks", (wire) => ({ answers: [raw(inThrees(wire))], outcome: "turn" })),
  everywhere("CRLF", (wire) => ({
    answers: [raw(standardEvents(wire).map((event) => event.replaceAll("\n", "\r\n")))],
    outcome: "turn",
  })),
  everywhere("CRLF, one byte at a time", (wire) => ({
    answers: [
      raw(
        standardEvents(wire).map((event) => event.replaceAll("\n", "\r\n")),
        { split: "bytes" },
      ),
    ],
    outcome: "turn",
  })),
  everywhere(
    "CR alone",
    (wire) => ({ answers: [raw(standardEvents(wire).map((event) => event.replaceAll("\n", "\r")))], outcome: "turn" }),
    sse,
  ),
  everywhere("a byte order mark before the stream", (wire) => ({
    answers: [raw(["\uFEFF", ...standardEvents(wire)])],
    outcome: "turn",
  })),
  everywhere("keep-alive comments or empty lines", (wire) => ({
    answers: [raw(interleaved(wire, wire === "ollama" ? "\n" : ": keep-alive\n\n"))],
    outcome: "turn",
  })),
  everywhere("pings, empty choices and events nobody knows", (wire) => ({
    answers: [raw(interleaved(wire, meaningless[wire]))],
    outcome: "turn",
  })),
  everywhere(
    "no space after `data:`",
    (wire) => ({ answers: [raw(standardEvents(wire).map((event) => event.replace("data: ", "data:")))], outcome: "turn" }),
    sse,
  ),
  everywhere("no line end after the last event", (wire) => ({
    answers: [raw([standardEvents(wire).join("").trimEnd()])],
    outcome: "turn",
  })),
  everywhere("bytes that are no UTF-8 in a text", (wire) => {
    const bytes = Buffer.from(standardEvents(wire).join("").replace("Gr", "G~"), "utf8");
    bytes[bytes.indexOf("~")] = 0xff;
    const [, ...rest] = standardParts(wire);
    const replaced = { type: "text", text: greeting.replace("Gr", "G\uFFFD") } as const;
    return { answers: [raw([bytes])], outcome: "turn", parts: [replaced, ...rest] };
  }),
  everywhere("compressed though nobody asked for it", (wire) => ({
    answers: [raw([gzipSync(standardEvents(wire).join(""))], { headers: { "content-encoding": "gzip" } })],
    outcome: "turn",
  })),
  everywhere("an event that is no JSON", (wire) => ({
    answers: [raw([...withoutEnd(wire), frame(wire, "{oops")]), standard],
    outcome: again,
  })),
];
