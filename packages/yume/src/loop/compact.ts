// A history that grew too long becomes a summary and its last part. It is cut before a message of the model, so that no
// result loses its call.
import type { Turn, UserTurn } from "../model/types.ts";
import { askModel } from "./ask-model.ts";
import type { Kit } from "./kit.ts";

/** Share of the window at which a history is compacted, and the share that its last part may have after. */
const FULL = 0.8;
const KEPT = 0.25;
const RESULT_LIMIT = 2_000;

const ASK = `The conversation so far is about to be replaced by a summary that you write now. Say everything that is needed to go on
without it: what the user wants, in their words where they matter; what was done, which files were read or changed and how; what was
found out, errors included; what is left to do. Write the summary only.`;

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

/** Compact in place. False when the history cannot be made shorter. */
export async function compact(
  kit: Kit,
  input: {
    model: string;
    turns: Turn[];
    parent: string | null;
    signal: AbortSignal;
    trigger: "auto" | "manual";
    preTokens: number;
  },
): Promise<boolean> {
  const { model, turns, signal } = input;
  const window = kit.provider.capabilities(model).context_window;
  const cut = chooseCut(turns, window * KEPT) ?? (turns.length > 1 ? turns.length : null);
  if (cut === null) return shorten(turns);
  await kit.hooks.fire("PreCompact", { trigger: input.trigger, custom_instructions: null }, signal);
  const summary = await summarise(kit, model, turns.slice(0, cut), signal);
  const rest = turns.slice(cut);
  const first: UserTurn = { role: "user", content: [{ type: "text", text: `[Summary of the conversation so far]\n${summary}` }] };
  turns.splice(0, turns.length, first, ...rest);
  shorten(turns);
  kit.emit({ type: "compacted", trigger: input.trigger, pre_tokens: input.preTokens });
  return true;
}

async function summarise(kit: Kit, model: string, turns: readonly Turn[], signal: AbortSignal): Promise<string> {
  const short = structuredClone(turns) as Turn[];
  shorten(short);
  const quiet: Kit = { ...kit, emit: () => {} };
  try {
    const asked: Turn[] = [...short, { role: "user", content: [{ type: "text", text: ASK }] }];
    const end = await askModel(quiet, {
      model,
      system: "You summarise conversations between a user and an agent.",
      turns: asked,
      tools: [],
      parent: null,
      signal,
    });
    const text = end.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    if (text.trim() !== "") return text;
  } catch (error) {
    if (signal.aborted) throw error;
  }
  // Without a summary, what the user said is the least that must stay.
  return short
    .flatMap((turn) =>
      turn.role === "user" ? turn.content.flatMap((part) => (part.type === "text" ? [`User: ${part.text}`] : [])) : [],
    )
    .join("\n");
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
