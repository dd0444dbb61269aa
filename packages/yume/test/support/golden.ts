// Frames as a golden file shows them: what differs from run to run is named by order, one frame a line.
import type { Frame, Place } from "./place.ts";

/** Lines for a snapshot. */
export function golden(frames: readonly Frame[], place: Place): string {
  const names = new Map<string, string>();
  const name = (kind: string, value: string) => {
    if (!names.has(value))
      names.set(value, `<${kind} ${[...names.values()].filter((one) => one.startsWith(`<${kind}`)).length + 1}>`);
    return names.get(value);
  };
  const fixed = (key: string, value: unknown): unknown => {
    if (key === "uuid") return undefined;
    if (key === "session_id") return name("session", String(value));
    if (key.startsWith("duration")) return 0;
    if ((key === "id" || key === "tool_use_id") && typeof value === "string" && !value.startsWith("text_"))
      return name(value.startsWith("msg_") ? "message" : "call", value);
    if (typeof value === "string")
      return value
        .replaceAll(place.work, "<work>")
        .replaceAll(place.home, "<home>")
        .replaceAll(new URL(place.model.url).host, "<model>");
    return value;
  };
  return `${frames.map((frame) => JSON.stringify(frame, fixed)).join("\n")}\n`;
}
