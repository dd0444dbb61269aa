// Hooks: those that a host registers with `initialize`, and those of settings files. Asked before and after a call, at a prompt, at the
// end of a turn. A hook before a call that gives no answer blocks it, unless its owner said that failures may pass.
import type { ControlChannel } from "../host/control-channel.ts";
import type { ToolInput } from "../model/types.ts";
import type { HookVerdict } from "../permissions/gate.ts";
import type { SettingsHook } from "../settings/hook-settings.ts";
import type { HookAnswer, HookFailure, HookWorld } from "./settings-hook.ts";

export type HookEvent =
  | "PreToolUse"
  | "PermissionRequest"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "UserPromptSubmit"
  | "Stop"
  | "SubagentStop"
  | "SessionStart"
  | "SessionEnd"
  | "PreCompact";

type Matcher = { matcher?: string; hookCallbackIds: string[]; timeout?: number; onFailure?: string };

/** One hook, wherever it comes from. */
type Hook = {
  matcher: string | undefined;
  onFailure: string | undefined;
  background: boolean;
  run: (input: Record<string, unknown>, signal: AbortSignal, toolUseId: string | undefined) => Promise<HookAnswer>;
};

export type HookOutcome = { answers: HookAnswer[]; failures: { message: string; blocks: boolean }[] };

const DEFAULT_TIMEOUT_MS = 60_000;
/** No answer to these is a no. */
const ASKED_BEFORE: ReadonlySet<HookEvent> = new Set(["PreToolUse"]);

export class Hooks {
  readonly #channel: ControlChannel | null;
  readonly #facts: () => Record<string, unknown>;
  readonly #log: (words: string) => void;
  #ofHost: Partial<Record<string, Hook[]>> = {};
  readonly #ofSettings: Partial<Record<string, Hook[]>> = {};

  /** `facts` are the fields that every hook's input has. */
  constructor(channel: ControlChannel | null, facts: () => Record<string, unknown>, log: (words: string) => void = () => {}) {
    this.#channel = channel;
    this.#facts = facts;
    this.#log = log;
  }

  /** Take the hooks of a host. */
  register(hooks: unknown): void {
    const channel = this.#channel;
    if (typeof hooks !== "object" || hooks === null || channel === null) return;
    for (const [event, matchers] of Object.entries(hooks))
      if (Array.isArray(matchers))
        this.#ofHost[event] = matchers
          .filter((one): one is Matcher => Array.isArray(one?.hookCallbackIds))
          .flatMap((one) => one.hookCallbackIds.map((id) => hostHook(channel, one, id)));
  }

  /** Take the hooks of settings files. */
  addSettings(hooks: readonly SettingsHook[], world: HookWorld): void {
    for (const hook of hooks) {
      const list = this.#ofSettings[hook.event] ?? [];
      this.#ofSettings[hook.event] = list;
      list.push({
        matcher: hook.matcher,
        onFailure: hook.onFailure,
        background: hook.background,
        run: async (input, signal) => (await import("./settings-hook.ts")).runSettingsHook(hook, input, world, signal),
      });
    }
  }

  has(event: HookEvent): boolean {
    return this.#of(event).length > 0;
  }

  #of(event: HookEvent): Hook[] {
    return [...(this.#ofHost[event] ?? []), ...(this.#ofSettings[event] ?? [])];
  }

  /** Before a call: what the hooks say about it, and the input that they want. */
  async beforeCall(
    name: string,
    input: ToolInput,
    id: string,
    signal: AbortSignal,
    /** The input as hooks see it. */
    seen: ToolInput = input,
  ): Promise<{ verdict: HookVerdict; input: ToolInput; context: string[]; stop: string | null }> {
    const outcome = await this.fire("PreToolUse", { tool_name: name, tool_input: seen, tool_use_id: id }, signal, name, id);
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
      // To decide later needs somebody who decides.
      else if (said === "defer") raise("ask", why || "a hook leaves it to a person");
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
    const all = this.#of(event);
    if (all.length === 0) return outcome;
    const told = { ...this.#facts(), hook_event_name: event, ...input };
    const settled = await Promise.all(
      all
        .filter(({ matcher }) => fits(matcher, subject))
        .map(async (hook) => {
          const run = hook.run(told, signal, toolUseId);
          if (!hook.background) return run.catch((error: Error) => this.#failed(hook, event, error));
          void run.catch(() => {});
          return {} as HookAnswer;
        }),
    );
    for (const one of settled) {
      if ("failure" in one) outcome.failures.push(one.failure as HookOutcome["failures"][number]);
      else outcome.answers.push(one);
    }
    return outcome;
  }

  #failed(hook: Hook, event: HookEvent, error: Error | HookFailure): { failure: HookOutcome["failures"][number] } {
    const passes = "passes" in error && error.passes;
    const blocks = hook.onFailure === "block" || (ASKED_BEFORE.has(event) && hook.onFailure !== "continue" && !passes);
    if (!blocks) this.#log(`a ${event} hook failed and was passed over: ${error.message}`);
    return { failure: { message: error.message, blocks } };
  }
}

function hostHook(channel: ControlChannel, { matcher, timeout, onFailure }: Matcher, callback_id: string): Hook {
  return {
    matcher,
    onFailure,
    background: false,
    run: async (input, signal, toolUseId) =>
      (await channel.request(
        {
          subtype: "hook_callback",
          callback_id,
          input,
          ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
        },
        { signal, timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : timeout * 1_000 },
      )) as HookAnswer,
  };
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
export function blockOf({ answers, failures }: HookOutcome): string | null {
  const blocking = answers.find((answer) => answer.decision === "block");
  if (blocking !== undefined) return String(blocking.reason ?? "a hook blocked it");
  const failed = failures.find(({ blocks }) => blocks);
  return failed === undefined ? null : `a hook failed (${failed.message})`;
}

/** What hooks decide in the place of whoever would be asked. */
export function decisionOf({ answers }: HookOutcome): { behavior: "allow" | "deny"; answer: Record<string, unknown> } | null {
  const decisions = answers.flatMap(({ hookSpecificOutput }) => {
    const decision = hookSpecificOutput?.decision;
    return typeof decision === "object" && decision !== null ? [decision as Record<string, unknown>] : [];
  });
  const found = decisions.find(({ behavior }) => behavior === "deny") ?? decisions.find(({ behavior }) => behavior === "allow");
  return found === undefined ? null : { behavior: found.behavior as "allow" | "deny", answer: found };
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
