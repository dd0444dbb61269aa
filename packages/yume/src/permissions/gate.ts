// Whether a call may run: rules, then the mode's row, then whoever can be asked. What nobody can be asked about is denied.
import type { Dialect } from "../argv/options.ts";
import { observableInput } from "../hooks/hook-facts.ts";
import { decisionOf, type Hooks } from "../hooks/hooks.ts";
import type { ToolInput } from "../model/types.ts";
import type { CallFacts } from "../tools/tool.ts";
import type { PermissionMode } from "./mode.ts";
import type { PermissionUpdate } from "./permission-update.ts";
import { readAnswer } from "./read-answer.ts";
import { findRule, type Rule, type RulePlace, type RuleRoots, slashes } from "./rules.ts";
import { suggestUpdates } from "./suggest-updates.ts";
import { lookUp } from "./table.ts";
import { UpdateTaker, type UpdateWorld } from "./update-taker.ts";

export type Call = { id: string; name: string; input: ToolInput };

export type Permission =
  | { behavior: "allow"; input: ToolInput }
  /** `reason` is a word for hosts, `message` is what the model reads. A host that said no itself need not be told. */
  | { behavior: "deny"; message: string; reason: string; interrupt: boolean; byHost?: boolean };

/** What is asked about, and the changes that may come with a yes ("always allow"); null where none may be offered. */
export type AskedFacts = CallFacts & { suggestions?: PermissionUpdate[] | null };

/** Somebody who can be asked: the host on its control channel, or people through HAP. */
export interface Asker {
  ask(call: Call, facts: AskedFacts, why: string, signal: AbortSignal): Promise<Permission>;
}

export type RuleSet = { allow: Rule[]; ask: Rule[]; deny: Rule[] };

/** What a hook said before the call. */
export type HookVerdict = { decision: "allow" | "ask" | "deny" | null; reason: string };

/** Classes to which a rule without a pattern does not extend: they lie beyond what naming a tool means. */
const BEYOND_BARE_RULES = new Set(["read_outside", "edit_outside", "guarded"]);

/** Places whose allow rules no answer and no file of a project can have made. Only these open what arms a gate. */
const LAUNCHED: ReadonlySet<RulePlace> = new Set(["cliArg", "flagSettings", "yumeSettings", "policySettings"]);

/** Tools whose rules speak of reading files. */
const HIDING = new Set(["Read", "Grep", "Glob", "LS"]);

export class Gate {
  #mode: PermissionMode;
  readonly rules: RuleSet;
  readonly #dialect: Dialect;
  readonly #roots: RuleRoots;
  readonly #asker: () => Asker | null;
  readonly #hooks: () => Hooks | null;
  readonly #bypassDisabled: boolean;
  readonly #updates: UpdateTaker;
  readonly #mayAlwaysAllow: boolean;

  constructor(options: {
    mode: PermissionMode;
    rules: RuleSet;
    dialect: Dialect;
    roots: RuleRoots;
    asker: () => Asker | null;
    hooks?: () => Hooks | null;
    bypassDisabled?: boolean;
    /** Where changes that come with a yes are kept. Without it they last as long as the gate. */
    updates?: UpdateWorld;
  }) {
    this.#hooks = options.hooks ?? (() => null);
    this.#bypassDisabled = options.bypassDisabled ?? false;
    this.#mode = options.mode;
    this.rules = options.rules;
    this.#dialect = options.dialect;
    this.#roots = options.roots;
    this.#asker = options.asker;
    this.#updates = new UpdateTaker(this, options.updates);
    this.#mayAlwaysAllow = options.updates?.allowFrom.has("session") ?? true;
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  /** A mode that the settings forbid is not taken. */
  set mode(mode: PermissionMode) {
    if (mode !== "bypassPermissions" || !this.#bypassDisabled) this.#mode = mode;
  }

  /** May this call run? */
  async check(call: Call, facts: CallFacts, hook: HookVerdict, signal: AbortSignal): Promise<Permission> {
    const { verdict, why, forced = false } = this.judge(facts, hook);
    if (verdict === "allow") return { behavior: "allow", input: call.input };
    if (verdict === "deny")
      return { behavior: "deny", message: `${call.name} was not run: ${why}`, reason: why, interrupt: false };
    // Where a rule or a hook wants somebody to be asked each time, no rule would keep the question away.
    const suggestions = forced || !this.#mayAlwaysAllow ? null : suggestUpdates(facts);
    const decided = await this.#askHooks(call, suggestions ?? [], signal);
    if (decided !== null) return decided;
    const asker = this.#asker();
    if (asker !== null) return asker.ask(call, { ...facts, suggestions }, why, signal);
    const message = `${call.name} was not run: ${why}, and in this run nobody can be asked. Do without it, or say what you would have done.`;
    return { behavior: "deny", message, reason: "nobody can be asked", interrupt: false };
  }

  /** PermissionRequest hooks answer before anybody is asked. */
  async #askHooks(call: Call, suggestions: PermissionUpdate[], signal: AbortSignal): Promise<Permission | null> {
    const hooks = this.#hooks();
    if (hooks === null || !hooks.has("PermissionRequest")) return null;
    const seen = observableInput(call.input, this.#roots.cwd, this.#roots.home);
    const input = { tool_name: call.name, tool_input: seen, permission_suggestions: suggestions };
    const decision = decisionOf(await hooks.fire("PermissionRequest", input, signal, call.name, call.id));
    return decision === null ? null : readAnswer(decision.answer, call, this, "a hook said no");
  }

  /** True when some rule forbids reading some files. */
  get hidesSome(): boolean {
    return this.rules.deny.some(({ tool, pattern }) => pattern !== null && HIDING.has(tool));
  }

  /** True when a rule forbids reading this resolved path. */
  hides(path: string): boolean {
    return findRule(this.rules.deny, { tool: "Read", path: slashes(path) }, this.#roots, "any") !== undefined;
  }

  /** Rules and mode alone. */
  judge(
    facts: CallFacts,
    hook: HookVerdict = { decision: null, reason: "" },
  ): { verdict: "allow" | "ask" | "deny"; why: string; forced?: boolean } {
    const { subject, callClass } = facts;
    const denied = findRule(this.rules.deny, subject, this.#roots, "any");
    if (denied !== undefined) return { verdict: "deny", why: `the rule ${denied.text} forbids it` };
    if (hook.decision === "deny") return { verdict: "deny", why: hook.reason || "a hook forbids it" };
    const row = lookUp(this.mode, callClass, this.#dialect);
    // These modes are a promise about the whole run; no rule and no hook opens them.
    if (row === "deny" && (this.mode === "deny" || this.mode === "plan"))
      return { verdict: "deny", why: `permission mode ${this.mode} does not allow ${WORDS[callClass]}` };
    const asked = findRule(this.rules.ask, subject, this.#roots, "any");
    if (asked !== undefined || hook.decision === "ask") {
      const why =
        asked === undefined
          ? hook.reason || "a hook wants somebody to be asked"
          : `the rule ${asked.text} wants somebody to be asked`;
      return { verdict: this.mode === "dontAsk" ? "deny" : "ask", why, forced: true };
    }
    if (facts.mustAsk === true) {
      const mute = this.mode === "dontAsk" || this.mode === "deny";
      return { verdict: mute ? "deny" : "ask", why: "it is a question to the user" };
    }
    if (hook.decision === "allow") return { verdict: "allow", why: "a hook allows it" };
    const allowed = findRule(
      this.rules.allow.filter((rule) => mayOpen(rule, facts)),
      subject,
      this.#roots,
      "all",
    );
    if (allowed !== undefined) return { verdict: "allow", why: `the rule ${allowed.text} allows it` };
    return {
      verdict: row,
      why: `permission mode ${this.mode} ${row === "ask" ? "asks before" : "does not allow"} ${WORDS[callClass]}`,
    };
  }

  /** Changes that came with a yes. */
  take(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) this.#updates.take(update);
  }
}

/** Whether an allow rule can speak for this call at all. */
function mayOpen({ pattern, place }: Rule, { callClass, guards }: CallFacts): boolean {
  if (BEYOND_BARE_RULES.has(callClass) && pattern === null) return false;
  if (guards === undefined || LAUNCHED.has(place)) return true;
  return guards === "secret" && place === "userSettings";
}

const WORDS = {
  own: "this",
  read: "reading in the workspace",
  read_outside: "reading outside the workspace",
  edit: "changing files",
  edit_outside: "changing files outside the workspace",
  guarded: "touching files that hold credentials or arm a gate",
  harmless_command: "commands",
  command: "commands that are not known to be harmless",
  command_outside: "commands that reach beyond the workspace",
  network: "the network",
  mcp: "tools of MCP servers",
} as const;
