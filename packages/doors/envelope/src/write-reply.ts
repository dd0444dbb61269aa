// Replies in the dialect of their question (D27): the answer, or why there is none. Pure: id and time are given.
import type { Answer } from "@hap/protocol";
import type { HumanQuestion } from "./read-question.ts";
import type { StrictErrorCode, StrictProblem } from "./strict.ts";

/** The id and the moment of a reply. */
export type Stamp = { id: string; time: string };
/** Why there is no answer. */
export type BridgeErrorCode = "invalid_envelope" | "duplicate_id" | "timeout" | "declined" | "refused";

/** A person's answer. `person` is who gave it, as `human:name`. */
export function writeResponse(
  question: HumanQuestion,
  answer: Answer,
  person: string,
  notes: string | null,
  stamp: Stamp,
): object {
  const data = { ...answerData(question, answer), ...(notes === null ? {} : { notes }) };
  const type = question.dialect === "plain" ? "response" : "none";
  return { ...head(question, person, stamp, "human.response"), payload: { type, data } };
}

/** No answer, and why. */
export function writeError(question: HumanQuestion, code: BridgeErrorCode, message: string, stamp: Stamp): object {
  const type = question.dialect === "plain" ? "error" : "none";
  return { ...head(question, "hap:bridge", stamp, "error"), payload: { type, data: { code, message } } };
}

/** Our codes in the original's words; `details.reason` keeps ours. */
const STRICT_CODES: Record<BridgeErrorCode, StrictErrorCode> = {
  invalid_envelope: "validation_error",
  duplicate_id: "conflict",
  timeout: "not_found",
  declined: "not_authorized",
  refused: "business_rule_violation",
};

/** An error reply with the original's codes, for `--strict`. */
export function toStrict(reply: object): object {
  const { payload, sender, ...rest } = reply as {
    sender: unknown;
    payload: { data: { code: BridgeErrorCode; message: string } };
  };
  const { code, message } = payload.data;
  const data = { code: STRICT_CODES[code], message, details: { reason: code } };
  return { ...rest, sender: strictSender(sender), payload: { type: "none", data } };
}

/** A refusal with the original's codes and details. */
export function writeStrictRefusal(value: unknown, { code, message, details }: StrictProblem, stamp: Stamp): object {
  const { sender, ...rest } = writeRefusal(value, message, stamp) as { sender: unknown };
  return { ...rest, sender: strictSender(sender), payload: { type: "none", data: { code, message, details } } };
}

/** In the original's protocol the showrunner speaks for people. */
function strictSender(sender: unknown): object {
  const role = (sender as { role?: unknown } | null)?.role;
  return { role: typeof role === "string" && role !== "*" ? role : "SR", agent: "hap:bridge" };
}

/** A refusal of something that could not be read as a question; as much is mirrored as can be. */
export function writeRefusal(value: unknown, message: string, stamp: Stamp): object {
  const from = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const normative = typeof from.protocol === "object" && from.protocol !== null;
  const link =
    typeof from.id === "string"
      ? { reply_to: from.id, correlation_id: typeof from.correlation_id === "string" ? from.correlation_id : from.id }
      : {};
  const isObject = (part: unknown): part is object => typeof part === "object" && part !== null;
  return {
    protocol: normative || typeof from.protocol === "string" ? from.protocol : "questfoundry/1.0.0",
    ...stamp,
    sender: normative ? { role: "*", agent: "hap:bridge" } : "human",
    receiver: normative
      ? isObject(from.sender) && "role" in from.sender
        ? from.sender
        : { role: "*" }
      : typeof from.sender === "string"
        ? from.sender
        : "*",
    intent: "error",
    ...link,
    context: isObject(from.context) ? from.context : {},
    safety: isObject(from.safety) ? from.safety : {},
    payload: { type: normative ? "none" : "error", data: { code: "invalid_envelope" satisfies BridgeErrorCode, message } },
  };
}

function head(question: HumanQuestion, person: string, stamp: Stamp, intent: string): object {
  const { envelope } = question;
  const people =
    question.dialect === "plain"
      ? { sender: "human", receiver: question.envelope.sender }
      : { sender: { role: question.envelope.receiver.role, agent: person }, receiver: question.envelope.sender };
  return {
    protocol: envelope.protocol,
    ...stamp,
    ...people,
    intent,
    correlation_id: envelope.correlation_id ?? envelope.id,
    reply_to: envelope.id,
    context: envelope.context,
    safety: envelope.safety,
  };
}

/** A choice by its key (plain) or its own words (normative); words of the person's own have no choice. */
function answerData({ dialect, ask }: HumanQuestion, answer: Answer): { choice?: string; answer: string } {
  if (answer.type === "text") return { answer: answer.text };
  const options = ask.type === "choice" ? (ask.options as { key: string; label: string }[]) : [];
  const key = answer.type === "choice" ? answer.choices[0] : undefined;
  const chosen = options.find((option) => option.key === key);
  if (chosen === undefined) return { answer: answer.type === "choice" ? (answer.other ?? "") : "" };
  return { choice: dialect === "plain" ? chosen.key : chosen.label, answer: chosen.label };
}
