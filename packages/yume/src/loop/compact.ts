// A history that grew too long becomes a summary and its last part. It is cut before a message of the model, so that no
// result loses its call.
import { contextOf } from "../hooks/hooks.ts";
import { ModelError, type Turn } from "../model/types.ts";
import { askModel } from "./ask-model.ts";
import type { Kit } from "./kit.ts";

/** Share of the window at which a history is compacted, and the share that its last part may have after. */
const FULL = 0.8;
const KEPT = 0.25;
const RESULT_LIMIT = 2_000;

const ASK = `The conversation so far is about to be replaced by a summary that you write now. Say everything that is needed to go on
without it, under these headings:
1. What the user wants: every request, in their words where they matter, the last one above all.
2. Decisions: what was decided or ruled out, by whom and why; what the user or a permission refused.
3. Files: each that was read or changed, what is in it now as far as it matters, what was changed and how.
4. Found out: facts, errors and what solved them, commands that work.
5. Open: what is not done, and the next step.
Write the summary only.`;

/** Tokens, roughly. */
export function estimateTokens(turns: readonly Turn[]): number {
  return Math.ceil(JSON.stringify(turns, (key, value) => (key === "data" ? "x".repeat(4_000) : value)).length / 4);
}

/** True when the next request would come near the end of the window. */
export function isFull(kit: Kit, model: string, turns: readonly Turn[], lastInputTokens: number): boolean {
  const { context_window: window } = kit.provider.capabilities(model);
  return window > 0 && Math.max(lastInputTokens, estimateTokens(turns)) > window * FULL;
}

/** Where to cut: before a message of the model, as early as what follows fits. Null when there is nothing to gain. */
export function chooseCut(turns: readonly Turn[], budget: number): number | null {
  let best: number | null = null;
  for (let index = turns.length - 1; index > 1; index--) {
    if (turns[index]?.role !== "assistant") continue;
    if (best !== null && estimateTokens(turns.slice(index)) > budget) break;
    best = index;
  }
  return best;
}

/** The history could not be made shorter; nothing was changed. */
export class CompactionError extends ModelError {
  constructor(why: string) {
    super("context_too_long", `The conversation is too long for the model and could not be summarised: ${why}`);
  }
}

/** Compact in place. False when the history cannot be made shorter; an error, and an untouched history, when no summary could be had. */
export async function compact(
  kit: Kit,
  input: {
    model: string;
    turns: Turn[];
    parent: string | null;
    signal: AbortSignal;
    trigger: "auto" | "manual";
    preTokens: number;
    /** What the user wants the summary to keep. */
    instructions?: string;
  },
): Promise<boolean> {
  const { model, turns, signal, instructions = "" } = input;
  const window = kit.provider.capabilities(model).context_window;
  const cut = chooseCut(turns, window * KEPT) ?? (turns.length > 1 ? turns.length : null);
  if (cut === null) return shorten(turns);
  const hook = await kit.hooks.fire(
    "PreCompact",
    { trigger: input.trigger, custom_instructions: instructions === "" ? null : instructions },
    signal,
    input.trigger,
  );
  const context = contextOf(hook);
  const replaced = turns.slice(0, cut);
  const summary = await summarise(kit, model, replaced, [instructions, ...context].filter(Boolean).join("\n"), signal);
  const rest = turns.slice(cut);
  const text = `[Summary of the conversation so far]\n${summary}\n\n${factsOf(replaced, kit.openTasks())}`;
  turns.splice(0, turns.length, { role: "user", content: [{ type: "text", text }] }, ...rest);
  shorten(turns);
  kit.emit({ type: "compacted", trigger: input.trigger, pre_tokens: input.preTokens });
  return true;
}

const MOST_FILES = 60;
const PROMPT_LIMIT = 4_000;

/** What must not depend on how well a model summarises: files that were touched, open tasks, and the last words of the user. */
function factsOf(turns: readonly Turn[], openTasks: readonly string[]): string {
  const files = new Map<string, string>();
  let prompt = "";
  for (const turn of turns)
    for (const part of turn.content) {
      if (part.type === "tool_use") {
        const path = part.input.file_path ?? part.input.notebook_path;
        const did = part.name === "Read" ? "read" : "changed";
        if (typeof path === "string") files.set(path, files.get(path) === "changed" ? "changed" : did);
      } else if (part.type === "text" && turn.role === "user" && !part.text.startsWith("[Summary of the conversation"))
        prompt = part.text;
    }
  const list = [...files].slice(-MOST_FILES).map(([path, did]) => `- ${path} (${did}; read it again before you edit it)`);
  return [
    list.length > 0 ? `[Files of that part]\n${list.join("\n")}` : "",
    openTasks.length > 0 ? `[Open tasks]\n${openTasks.map((task) => `- ${task}`).join("\n")}` : "",
    prompt === "" ? "" : `[The user's last words of that part]\n${prompt.slice(0, PROMPT_LIMIT).toWellFormed()}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

async function summarise(kit: Kit, model: string, turns: readonly Turn[], wishes: string, signal: AbortSignal): Promise<string> {
  const short = structuredClone(turns) as Turn[];
  shorten(short);
  const quiet: Kit = { ...kit, emit: () => {} };
  const ask = wishes === "" ? ASK : `${ASK}\nAlso: ${wishes}`;
  let why = "the model wrote no summary";
  // A history that does not even fit for this is tried again without its oldest half.
  for (const part of [short, short.slice(Math.floor(short.length / 2))]) {
    try {
      const end = await askModel(quiet, {
        model,
        system: "You summarise conversations between a user and an agent.",
        turns: [...part, { role: "user", content: [{ type: "text", text: ask }] }],
        tools: [],
        parent: null,
        signal,
      });
      const text = end.parts.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("");
      if (text.trim() !== "") return text;
    } catch (error) {
      if (signal.aborted) throw error;
      why = (error as Error).message;
      if (!(error instanceof ModelError) || error.kind !== "context_too_long") break;
    }
  }
  throw new CompactionError(why);
}

/** Cut long results of tools in place. */
function shorten(turns: Turn[]): boolean {
  let changed = false;
  for (const turn of turns) {
    if (turn.role !== "user") continue;
    for (const part of turn.content) {
      if (part.type !== "tool_result") continue;
      part.content = part.content.map((one) => {
        if (one.type === "image") {
          changed = true;
          return { type: "text" as const, text: "[an image was here]" };
        }
        if (one.text.length <= RESULT_LIMIT) return one;
        changed = true;
        return {
          type: "text" as const,
          text: `${one.text.slice(0, RESULT_LIMIT).toWellFormed()}\n[the rest of this result was left out]`,
        };
      });
    }
  }
  return changed;
}
