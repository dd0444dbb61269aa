// Streams that break, end early or fall silent.
import { again, everywhere, type Hazard, raw, standard, standardEvents, untilMidArguments, withoutEnd } from "./scenario.ts";

/** Short for a test, long enough for a busy machine. */
const patience = { idleTimeoutMs: 5000 };

export const brokenHazards: Hazard[] = [
  everywhere("dropped in mid-arguments, once", (wire) => ({
    answers: [raw(untilMidArguments(wire), { ending: "drop" }), standard],
    outcome: again,
  })),
  everywhere("dropped in mid-arguments, every time", (wire) => ({
    answers: Array.from({ length: 4 }, () => raw(untilMidArguments(wire), { ending: "drop" })),
    outcome: "error `broken_stream` after 3 tries",
    tells: /complete/,
  })),
  everywhere("a proper end in mid-arguments, every time", (wire) => ({
    answers: Array.from({ length: 4 }, () => raw(untilMidArguments(wire))),
    outcome: "error `broken_stream` after 3 tries",
  })),
  everywhere("a proper end before the answer is complete", (wire) => ({
    answers: [raw(withoutEnd(wire)), standard],
    outcome: again,
  })),
  everywhere("an empty answer with status 200", () => ({ answers: [raw([]), standard], outcome: again })),
  everywhere("connection cut before the answer", () => ({
    answers: [{ cut: true }, { cut: true }, standard],
    outcome: "turn at the third try",
  })),
  everywhere("connection cut before the answer, every time", () => ({
    answers: Array.from({ length: 4 }, () => ({ cut: true }) as const),
    outcome: "error `network` after 3 tries",
  })),
  everywhere("dropped right after the end was told", (wire) => {
    // Without the usage and the closing event, where there are any after the reason.
    const events = standardEvents(wire);
    const told = { chat: -2, responses: events.length, anthropic: -1, gemini: events.length, ollama: events.length }[wire];
    return { answers: [raw(events.slice(0, told), { ending: "drop" })], outcome: "turn" };
  }),
  everywhere("complete, but the connection stays open", (wire) => {
    const events = standardEvents(wire);
    const told = { chat: -2, responses: events.length, anthropic: -1, gemini: events.length, ollama: events.length }[wire];
    return { answers: [raw(events.slice(0, told), { ending: "hang" })], outcome: "turn" };
  }),
  everywhere("silence before the first byte", () => ({
    answers: [raw([], { ending: "hang" }), standard],
    outcome: again,
    settings: patience,
  })),
  everywhere("silence in the middle", (wire) => ({
    answers: [raw(untilMidArguments(wire), { ending: "hang" }), standard],
    outcome: again,
    settings: patience,
  })),
  everywhere("silence, every time", () => ({
    answers: Array.from({ length: 4 }, () => raw([], { ending: "hang" })),
    outcome: "error `network` after 3 tries",
    tells: /YUME_IDLE_TIMEOUT_MS/,
    settings: { idleTimeoutMs: 40 },
  })),
  everywhere("keep-alives without an end, every time", (wire) => ({
    answers: Array.from({ length: 4 }, () =>
      raw(
        Array.from({ length: 1000 }, () => (wire === "ollama" ? "\n" : ": wait\n\n")),
        { gapMs: 10 },
      ),
    ),
    outcome: "error `network` after 3 tries",
    tells: /nothing/,
    settings: { idleTimeoutMs: 200 },
  })),
];
