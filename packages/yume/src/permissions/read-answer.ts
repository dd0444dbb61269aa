// An answer to "may this run?" in the words of Claude's control protocol, from the host or from a tool that was named for it.
import type { ToolInput } from "../model/types.ts";
import type { Call, Gate, Permission } from "./gate.ts";
import { readUpdates } from "./permission-update.ts";

/** What an answer means. Only `allow` is a yes; rules, folders and modes that come with a yes are taken over. */
export function readAnswer(answer: Record<string, unknown>, call: Call, gate: Gate, saidNo: string): Permission {
  if (answer.behavior === "allow") {
    gate.take(readUpdates(answer.updatedPermissions));
    const updated = answer.updatedInput;
    const input =
      typeof updated === "object" && updated !== null && !Array.isArray(updated) ? (updated as ToolInput) : call.input;
    return { behavior: "allow", input };
  }
  const message = typeof answer.message === "string" && answer.message !== "" ? answer.message : "the user said no";
  return { behavior: "deny", message, reason: saidNo, interrupt: answer.interrupt === true };
}
