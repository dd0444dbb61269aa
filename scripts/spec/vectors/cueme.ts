// What an agent writes to `cueme`, and the question that it becomes (D26).
import { PAYLOAD_SHAPES, parseEnvelope, toAsk } from "@hap/door-cueme";
import { askSchema, type Json, parseWith } from "@hap/protocol";
import { invalid, type Suite, valid } from "../vector.ts";

const block = (tag: string, body: string) => `<cueme_${tag}>\n${body}\n</cueme_${tag}>\n`;
const prompt = (body: string) => block("prompt", body);
const cue = (text: string): Json => ({ command: "cue", text });
const pause = (text: string): Json => ({ command: "pause", text });
const withPayload = (payload: Json): Json => cue(prompt("Go on?") + block("payload", JSON.stringify(payload)));
const field = (more: Record<string, Json>): Json => withPayload({ type: "form", fields: [{ label: "Env", ...more }] });

export const cueme: Suite = {
  name: "cueme",
  description:
    "input.text is what `cueme cue` or `cueme pause ... -` (input.command) reads from standard input, decoded. output.prompt is the prompt, output.ask the question as a ticket has it, in its full form.",
  flags: {
    Words: "answered in words",
    Choice: "a payload that offers options",
    Confirm: "a payload that asks for a confirmation",
    Form: "a payload with fields",
    Tags: "about the blocks and what is around them",
    Payload: "the payload does not fit",
    Pause: "read by pause",
  },
  cases: [
    valid("a prompt alone", cue(prompt("Go on?")), "Words"),
    valid(
      "space around tags, CR LF, a payload of null",
      cue("\r\n  <cueme_prompt>\t\r\nGo on?\r\nReally?\r\n </cueme_prompt>\r\n<cueme_payload>\r\n null \r\n</cueme_payload>\r\n"),
      "Words",
      "Tags",
    ),
    valid("a blank payload", cue(prompt("Go on?") + block("payload", " ")), "Words", "Tags"),
    valid("the payload first", cue(block("payload", PAYLOAD_SHAPES.confirm) + prompt("Go on?")), "Confirm", "Tags"),
    valid(
      "a prompt that is kept as it is",
      cue(prompt("  é 完\n<cueme_prompt>\n\tand </cueme_prompt> in a line\n\n")),
      "Words",
      "Tags",
    ),
    valid("a choice", cue(prompt("Go on?") + block("payload", PAYLOAD_SHAPES.choice)), "Choice"),
    valid("the least choice", withPayload({ type: "choice", options: ["Continue", "Stop"] }), "Choice"),
    valid(
      "several of options with ids",
      withPayload({ type: "choice", options: [{ id: "a", label: "Alpha" }, "Beta"], allow_multiple: true }),
      "Choice",
    ),
    valid("options that are alike get numbers", withPayload({ type: "choice", options: ["Yes", "Yes"] }), "Choice"),
    valid("the least confirmation", withPayload({ type: "confirm", text: "Continue?" }), "Confirm"),
    valid("labels of its own", withPayload({ type: "confirm", confirm_label: "Ship", cancel_label: "Hold" }), "Confirm"),
    valid("a form", cue(prompt("Go on?") + block("payload", PAYLOAD_SHAPES.form)), "Form"),
    valid("the least form", field({ options: ["prod", "staging"] }), "Form"),
    valid("a field of several", field({ options: ["prod", "staging"], allow_multiple: true }), "Form"),
    valid("pause reads a prompt", pause(prompt("Lunch")), "Pause", "Words"),
    invalid("nothing", cue(""), "Tags"),
    invalid("words without tags", cue("Go on?"), "Tags"),
    invalid("a JSON envelope", cue('{"prompt":"Go on?"}'), "Tags"),
    invalid("an empty prompt", cue(prompt("")), "Tags"),
    invalid("a prompt of space", cue(prompt(" \n\t")), "Tags"),
    invalid("tags that are not alone on their lines", cue("<cueme_prompt>Go on?</cueme_prompt>"), "Tags"),
    invalid("a tag in capitals", cue("<CUEME_PROMPT>\nGo on?\n</CUEME_PROMPT>\n"), "Tags"),
    invalid("a prompt that is never closed", cue("<cueme_prompt>\nGo on?\n"), "Tags"),
    invalid("words after the blocks", cue(`${prompt("Go on?")}thanks`), "Tags"),
    invalid("two prompts", cue(prompt("a") + prompt("b")), "Tags"),
    invalid("two payloads", cue(prompt("a") + block("payload", "null") + block("payload", "null")), "Tags"),
    invalid("a payload alone", cue(block("payload", PAYLOAD_SHAPES.confirm)), "Tags"),
    invalid("a payload for pause", pause(prompt("Lunch") + block("payload", "null")), "Pause", "Tags"),
    invalid("a payload that is no JSON", cue(prompt("Go on?") + block("payload", "{")), "Payload"),
    invalid("a payload that is a list", withPayload(["Continue"]), "Payload"),
    invalid("a payload that is words", withPayload("choice"), "Payload"),
    invalid("no type", withPayload({ options: ["a", "b"] }), "Payload"),
    invalid("another type", withPayload({ type: "text" }), "Payload"),
    invalid("a choice without options", withPayload({ type: "choice" }), "Choice", "Payload"),
    invalid("a choice of nothing", withPayload({ type: "choice", options: [] }), "Choice", "Payload"),
    invalid("an option that is a number", withPayload({ type: "choice", options: [1] }), "Choice", "Payload"),
    invalid("an option without words", withPayload({ type: "choice", options: [""] }), "Choice", "Payload"),
    invalid("an option without a label", withPayload({ type: "choice", options: [{ id: "a" }] }), "Choice", "Payload"),
    invalid(
      "two options with one id",
      withPayload({
        type: "choice",
        options: [
          { id: "a", label: "A" },
          { id: "a", label: "B" },
        ],
      }),
      "Choice",
      "Payload",
    ),
    invalid(
      "allow_multiple in words",
      withPayload({ type: "choice", options: ["a"], allow_multiple: "no" }),
      "Choice",
      "Payload",
    ),
    invalid(
      "labels that are the same",
      withPayload({ type: "confirm", confirm_label: "Go", cancel_label: "go" }),
      "Confirm",
      "Payload",
    ),
    invalid("a label that reads as its contrary", withPayload({ type: "confirm", confirm_label: "No" }), "Confirm", "Payload"),
    invalid("a text that is none", withPayload({ type: "confirm", text: 1 }), "Confirm", "Payload"),
    invalid("a form without fields", withPayload({ type: "form" }), "Form", "Payload"),
    invalid("a form of nothing", withPayload({ type: "form", fields: [] }), "Form", "Payload"),
    invalid("a field without a label", withPayload({ type: "form", fields: [{ kind: "text" }] }), "Form", "Payload"),
    invalid("a field of an unknown kind", field({ kind: "date" }), "Form", "Payload"),
    invalid(
      "two fields of one name",
      withPayload({ type: "form", fields: [{ label: "Env" }, { label: "Env" }] }),
      "Form",
      "Payload",
    ),
  ],
  run: (input) => {
    const { command, text } = input as { command: "cue" | "pause"; text: string };
    const read = parseEnvelope(text, command === "cue" ? ["cueme_prompt", "cueme_payload"] : ["cueme_prompt"]);
    const ask = parseWith(askSchema(), toAsk(read.prompt, read.payload), "The question");
    return { prompt: read.prompt, ask: ask as Json };
  },
};
