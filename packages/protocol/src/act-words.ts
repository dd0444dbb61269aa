// One sentence that says what an agent wants to do (version 2 of the presentation). Counts are the runtime's where it holds the bytes.
import { canonicalJson } from "./canonical-json.ts";
import type { DiffFile } from "./diff.ts";
import type { Ticket } from "./schema/ticket.ts";
import { quoteShown } from "./text-safety.ts";

type Act = Pick<Ticket, "from" | "intent" | "artifact" | "ask">;

export function describeAct({ from, intent, artifact, ask }: Act, files: readonly DiffFile[]): string {
  const who = from.replace(/^agent:/, "").replace(/^system:/, "system ");
  const { environment } = artifact;
  const where = environment === null ? "" : ` in ${environment}`;
  if (ask.type !== "approval") return `${who} asks you a question.`;
  switch (intent.kind) {
    case "run_command":
      return `${who} wants to run ${typeof intent.details.command === "string" ? "this command" : "a command that it does not show"}${where}.`;
    case "deploy":
      return `${who} wants to deploy${environment === null ? "" : ` to ${environment}`}${changes(intent.details, files)}.`;
    case "delete_file":
      return `${who} wants to delete ${fileWords(intent.details)}${where}.`;
    case "create_file":
      return `${who} wants to create ${fileWords(intent.details)}${where}.`;
    case "modify_file":
      return `${who} wants to change ${files.length > 1 ? `${files.length} files` : fileWords(intent.details)}${where}${changes(intent.details, files)}.`;
    default:
      return `${who} asks you to approve ${intent.kind.replaceAll("_", " ")}${where}${changes(intent.details, files)}.`;
  }
}

function fileWords(details: Record<string, unknown>): string {
  return typeof details.file === "string" ? quoteShown(details.file, 200) : "a file";
}

/** Lines as counted in the diff; without one, the agent's own count, said to be that. */
function changes(details: Record<string, unknown>, files: readonly DiffFile[]): string {
  if (files.length > 0) {
    const sum = (key: "added" | "removed") => files.reduce((count, file) => count + file[key], 0);
    return `: ${sum("added")} lines added, ${sum("removed")} removed`;
  }
  const { lines_added: added, lines_removed: removed } = details;
  if (typeof added !== "number" && typeof removed !== "number") return "";
  const count = (claimed: unknown) => canonicalJson(typeof claimed === "number" ? claimed : 0);
  return `: ${count(added)} lines added, ${count(removed)} removed by its own count`;
}
