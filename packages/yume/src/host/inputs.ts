// What a host may say on standard input: the four control frames of the flat dialect and Claude's control protocol, in one
// vocabulary. Pure.

import type { Frame } from "../frames/encoder.ts";
import { randomUuid } from "../random-uuid.ts";
import type { Prompt } from "../run/agent.ts";
import { plainParts } from "../session/read-history.ts";

export type HostInput =
  | { type: "prompt"; prompt: Prompt }
  | { type: "interrupt" }
  | { type: "set_permission_mode"; mode: unknown }
  | { type: "tool_approval"; id: string; approved: boolean; message: string | null }
  | { type: "control_request"; id: unknown; request: Frame }
  | { type: "control_response"; frame: Frame }
  | { type: "nothing" }
  | { type: "wrong"; why: string };

/** Read one line as an object; null when it is none. */
export function parseFrame(line: string): Frame | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Frame) : null;
  } catch {
    return null;
  }
}

/** What a frame means. */
export function readInput(frame: Frame): HostInput {
  switch (frame.type) {
    case "user": {
      const message = typeof frame.message === "object" && frame.message !== null ? (frame.message as Frame) : frame;
      const content = plainParts(message.content ?? frame.content);
      if (content.length === 0)
        return { type: "wrong", why: "a user frame needs content: text, or a list of text and image blocks" };
      return { type: "prompt", prompt: { content, uuid: typeof frame.uuid === "string" ? frame.uuid : randomUuid() } };
    }
    case "interrupt":
      return { type: "interrupt" };
    case "set_permission_mode":
      return { type: "set_permission_mode", mode: frame.mode };
    case "tool_approval": {
      const id = frame.id ?? frame.tool_use_id;
      if (typeof id !== "string") return { type: "wrong", why: "a tool_approval frame needs the id of the call" };
      return {
        type: "tool_approval",
        id,
        approved: frame.approved === true,
        message: typeof frame.message === "string" ? frame.message : null,
      };
    }
    case "control_request":
      if (typeof frame.request !== "object" || frame.request === null)
        return { type: "wrong", why: "a control_request needs a request" };
      return { type: "control_request", id: frame.request_id, request: frame.request as Frame };
    case "control_response":
      return { type: "control_response", frame };
    default:
      // Keep-alives and what later hosts may say.
      return { type: "nothing" };
  }
}
