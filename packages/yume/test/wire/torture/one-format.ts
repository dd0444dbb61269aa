// A hazard that one format alone has, and what such scenarios share.
import type { AssistantTurn } from "../../../src/model/types.ts";
import type { WireName } from "../encode-turn.ts";
import { type Hazard, type Play, raw } from "./scenario.ts";

export type Json = Record<string, unknown>;

export const hazardOf = (
  wire: WireName,
  name: string,
  events: string[],
  parts: AssistantTurn["content"],
  more: Partial<Play> = {},
): Hazard => ({
  hazard: name,
  plays: { [wire]: { answers: [raw(events)], outcome: "turn", parts, ...more } },
});

export const four = (events: string[]) => Array.from({ length: 4 }, () => raw(events));
export const read = (id: string, path: string, more: Json = {}): AssistantTurn["content"][number] => ({
  type: "tool_use",
  id,
  name: "Read",
  input: { path },
  ...more,
});
export const a = '{"path":"/a"}';
export const b = '{"path":"/b"}';
