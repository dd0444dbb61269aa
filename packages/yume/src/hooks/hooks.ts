// Hooks that a host registers with `initialize`: asked before and after a call, at a prompt, at the end of a turn. What a
// failing hook means is what the host said it means; a hook before a call that fails closed blocks it.
import type { ControlChannel } from "../host/control-channel.ts";
import type { ToolInput } from "../model/types.ts";
import type { HookVerdict } from "../permissions/gate.ts";

export type HookEvent =
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "UserPromptSubmit"
  | "Stop"
  | "SubagentStop"
  | "SessionStart"
  | "SessionEnd"
  | "PreCompact";

type Matcher = { matcher?: string; hookCallbackIds: string[]; timeout?: number; onFailure?: string };
type Answer = Record<string, unknown> & { hookSpecificOutput?: Record<string, unknown> };

export type HookOutcome = { answers: Answer[]; failures: { message: string; blocks: boolean }[] };

const DEFAULT_TIMEOUT_MS = 60_000;

export class Hooks {
  readonly #channel: ControlChannel | null;
  readonly #facts: () => Record<string, unknown>;
  #matchers: Partial<Record<string, Matcher[]>> = {};

  /** `facts` are the fields that every hook's input has. */
  constructor(channel: ControlChannel | null, facts: () => Record<string, unknown>) {
    this.#channel = channel;
    this.#facts = facts;
  }

  register(hooks: unknown): void {
    if (typeof hooks !== "object" || hooks === null) return;
    for (const [event, matchers] of Object.entries(hooks))
      if (Array.isArray(matchers))
        this.#matchers[event] = matchers.filter((one): one is Matcher => Array.isArray(one?.hookCallbackIds));
  }

  has(event: HookEvent): boolean {
    return (this.#matchers[event]?.length ?? 0) > 0;
  }

  /** Before a call: what the hooks say about it, and the input that they want. */
  async beforeCall(
    name: string,
    input: ToolInput,
    id: string,
    signal: AbortSignal,
  ): Promise<{ verdict: HookVerdict; input: ToolInput; context: string[]; stop: string | null }> {
    const outcome = await this.fire("PreToolUse", { tool_name: name, tool_input: input, tool_use_id: id }, signal, name, id);
    let decision: HookVerdict["decision"] = null;
    let reason = "";
    let changed = input;
    const weight = { allow: 1, ask: 2, deny: 3 } as const;
    const raise = (next: "allow" | "ask" | "deny", why: string) => {
      if (decision !== null && weight[decision] >= weight[next]) return;
      decision = next;
      reason = why;
    };
    for (const failure of outcome.failures) if (failure.blocks) raise("deny", `a hook failed (${failure.message})`);
    for (const answer of outcome.answers) {
      const specific = answer.hookSpecificOutput ?? {};
      const why = String(specific.permissionDecisionReason ?? answer.reason ?? "");
      const said = specific.permissionDecision;
      if (said === "allow" || said === "ask" || said === "deny") raise(said, why || `a hook says ${said}`);
      else if (answer.decision === "block") raise("deny", why || "a hook blocked it");
      else if (answer.decision === "approve") raise("allow", why);
      if (typeof specific.updatedInput === "object" && specific.updatedInput !== null)
        changed = specific.updatedInput as ToolInput;
    }
    return { verdict: { decision, reason }, input: changed, context: contextOf(outcome), stop: stopOf(outcome) };
  }

  /** Fire an event; answers in the order of registration. */
  async fire(
    event: HookEvent,
    input: Record<string, unknown>,
    signal: AbortSignal,
    subject = "",
    toolUseId?: string,
  ): Promise<HookOutcome> {
    const outcome: HookOutcome = { answers: [], failures: [] };
    const channel = this.#channel;
    if (channel === null) return outcome;
    const fitting = (this.#matchers[event] ?? []).filter(({ matcher }) => fits(matcher, subject));
    await Promise.all(
      fitting.flatMap((one) =>
        one.hookCallbackIds.map(async (callback_id) => {
          try {
            const answer = await channel.request(
              {
                subtype: "hook_callback",
                callback_id,
                input: { ...this.#facts(), hook_event_name: event, ...input },
                ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
              },
              { signal, timeoutMs: one.timeout === undefined ? DEFAULT_TIMEOUT_MS : one.timeout * 1_000 },
            );
            outcome.answers.push(answer as Answer);
          } catch (error) {
            // Before a call, no answer is no permission, unless the host said that failures may pass.
            const blocks = one.onFailure === "block" || (event === "PreToolUse" && one.onFailure !== "continue");
            outcome.failures.push({ message: (error as Error).message, blocks });
          }
        }),
      ),
    );
    return outcome;
  }
}

/** Words that hooks want the model to read. */
export function contextOf({ answers }: HookOutcome): string[] {
  return answers.flatMap((answer) => {
    const words = answer.hookSpecificOutput?.additionalContext;
    return typeof words === "string" && words !== "" ? [words] : [];
  });
}

/** Why the run must end, when a hook says that it must. */
export function stopOf({ answers }: HookOutcome): string | null {
  const stopping = answers.find((answer) => answer.continue === false);
  return stopping === undefined ? null : String(stopping.stopReason ?? "a hook ended the run");
}

/** Why something is blocked, when a hook blocks it. */
export function blockOf({ answers }: HookOutcome): string | null {
  const blocking = answers.find((answer) => answer.decision === "block");
  return blocking === undefined ? null : String(blocking.reason ?? "a hook blocked it");
}

function fits(matcher: string | undefined, subject: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test(subject);
  } catch {
    // A matcher that cannot be read must not open a gap.
    return true;
  }
}
