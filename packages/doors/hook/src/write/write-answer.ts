// Each host gets exactly the JSON that it accepts. Unknown fields make Codex reject the whole answer, and a rejected answer
// lets the call through; so nothing is written there that its schema does not name.
import type { Answer } from "../answer.ts";
import { HOSTS, type Host } from "../hosts.ts";

/** What a host reads from standard output. */
export type HostOutput = {
  hookSpecificOutput?:
    | {
        hookEventName: "PreToolUse";
        permissionDecision?: "allow" | "deny";
        permissionDecisionReason?: string;
        updatedInput?: Record<string, unknown>;
        additionalContext?: string;
      }
    | {
        hookEventName: "PermissionRequest";
        decision: { behavior: "allow"; updatedInput?: Record<string, unknown> } | { behavior: "deny"; message: string };
      }
    | { hookEventName: "Elicitation"; action: "accept" | "decline" | "cancel"; content?: Record<string, unknown> };
};

/** The answer as a host reads it. No decision is `{}`: a guard takes empty output for a crash. */
export function writeAnswer(host: Host, event: string, answer: Answer): HostOutput {
  switch (answer.decision) {
    case "none":
      if (answer.updatedInput === undefined || event !== "PreToolUse") return {};
      return {
        hookSpecificOutput: {
          hookEventName: event,
          updatedInput: { ...answer.updatedInput },
          ...(answer.told === undefined ? {} : { additionalContext: answer.told }),
        },
      };
    case "elicited": {
      const { action, content } = answer;
      return { hookSpecificOutput: { hookEventName: "Elicitation", action, ...(content === undefined ? {} : { content }) } };
    }
    default:
      return event === "PermissionRequest" ? answerPermission(host, answer) : answerTool(host, answer);
  }
}

type Decided = Extract<Answer, { decision: "allow" | "deny" }>;

function answerTool(host: Host, answer: Decided): HostOutput {
  const updated =
    answer.decision === "allow" && answer.updatedInput !== undefined ? { updatedInput: { ...answer.updatedInput } } : {};
  // Hosts show the reason of a yes to nobody but the person; what the model shall read goes beside it.
  const told = answer.decision === "allow" && answer.told !== undefined ? { additionalContext: answer.told } : {};
  // Where a stated yes needs a changed input, a plain yes is to state no decision.
  if (!HOSTS[host].statesYes && answer.decision === "allow" && answer.updatedInput === undefined)
    return answer.told === undefined ? {} : { hookSpecificOutput: { hookEventName: "PreToolUse", ...told } };
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: answer.decision,
      permissionDecisionReason: answer.reason,
      ...updated,
      ...told,
    },
  };
}

function answerPermission(host: Host, answer: Decided): HostOutput {
  const decided = (
    decision: { behavior: "allow"; updatedInput?: Record<string, unknown> } | { behavior: "deny"; message: string },
  ) => ({
    hookSpecificOutput: { hookEventName: "PermissionRequest" as const, decision },
  });
  if (answer.decision === "deny") return decided({ behavior: "deny", message: answer.reason });
  if (answer.updatedInput === undefined) return decided({ behavior: "allow" });
  if (HOSTS[host].editsPermissions) return decided({ behavior: "allow", updatedInput: { ...answer.updatedInput } });
  // The host refuses a changed input here, so the model is told to make the changed call itself.
  const wanted = JSON.stringify(answer.updatedInput);
  return decided({ behavior: "deny", message: `${answer.reason} Make this call instead: ${wanted}` });
}
