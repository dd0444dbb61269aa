// One request to the model: its deltas are shown as they come, its end is what counts.

import { ModelError, type ModelEvent, type ToolSpec, type Turn } from "../model/types.ts";
import { randomUuid } from "../random-uuid.ts";
import { repairTurns } from "../session/repair-turns.ts";
import { shownParts } from "../tools/spill.ts";
import { hasImages, withoutImages } from "./drop-images.ts";
import type { Kit } from "./kit.ts";

/** The answer was interrupted; what it had said is part of the conversation. */
export class BrokenOff extends ModelError {
  readonly said: string;

  constructor(said: string) {
    super("aborted", "The request was interrupted.");
    this.said = said;
  }
}

export type Asked = Extract<ModelEvent, { type: "end" }>;

export type Question = {
  model: string;
  system: string;
  turns: readonly Turn[];
  tools: readonly ToolSpec[];
  parent: string | null;
  signal: AbortSignal;
};

/** Ask, and emit the message. When the model is overloaded, the fallback is asked once. */
export async function askModel(kit: Kit, question: Question): Promise<Asked> {
  const fallback = kit.fallbackModel === question.model ? null : kit.fallbackModel;
  try {
    return await askOnce(kit, question, fallback !== null);
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind !== "overloaded" || fallback === null) throw error;
    return askOnce(kit, { ...question, model: fallback }, false);
  }
}

/** A model that is known not to see gets words in the place of images. */
function seen(turns: Turn[], kit: Kit, model: string): Turn[] {
  return kit.provider.capabilities(model).images || !hasImages(turns)
    ? turns
    : withoutImages(turns, `${model} cannot see images`);
}

async function askOnce(kit: Kit, { model, system, turns, tools, parent, signal }: Question, impatient: boolean): Promise<Asked> {
  const message_id = `msg_${randomUuid().replaceAll("-", "")}`;
  const { tokens, effort, mode } = kit.thinking;
  kit.emit({ type: "request", message_id, model, parent });
  kit.ledger.countRequest();
  const started = process.uptime();
  let said = "";
  try {
    const request = {
      model,
      system,
      turns: seen(repairTurns(turns), kit, model),
      tools,
      ...(impatient ? { impatient } : {}),
      ...(tokens === null ? {} : { max_thinking_tokens: tokens }),
      ...(effort === null ? {} : { effort }),
      ...(mode === null ? {} : { thinking: mode }),
    };
    for await (const event of kit.provider.stream(request, { signal })) {
      if (event.type !== "end") {
        if (event.type === "text_delta") said += event.text;
        else if (event.type === "retry") said = "";
        kit.emit({ ...event, parent });
        continue;
      }
      kit.ledger.add(event.model, event.usage, kit.provider.capabilities(model), model);
      kit.emit({ ...event, type: "message", parts: shownParts(event.parts, kit.outputs), message_id, parent });
      return event;
    }
    throw new ModelError("broken_stream", `The answer of ${kit.provider.name} ended before it was complete.`);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (said !== "") kit.emit({ type: "broken_off", message_id, model, text: said, parent });
    throw new BrokenOff(said);
  } finally {
    kit.ledger.addTime((process.uptime() - started) * 1_000);
  }
}
