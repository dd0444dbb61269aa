// Asks a provider once and gathers all it says.
import { ModelError, type ModelEvent, type ModelProvider, type ModelRequest } from "../../src/model/types.ts";

export type Heard = {
  events: ModelEvent[];
  end: Extract<ModelEvent, { type: "end" }> | null;
  error: ModelError | null;
  retries: number;
  /** The texts of the deltas since the last retry. */
  text: string;
};

export const requestOf = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "scripted",
  system: "Be brief.",
  turns: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  tools: [],
  ...more,
});

/** Errors that are no `ModelError` are thrown: a provider must not let any through. */
export async function ask(
  provider: ModelProvider,
  request: ModelRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Heard> {
  const events: ModelEvent[] = [];
  let error: ModelError | null = null;
  try {
    for await (const event of provider.stream(request, { signal })) events.push(event);
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    error = thrown;
  }
  const retries = events.filter(({ type }) => type === "retry").length;
  const afterRetry = events.slice(events.findLastIndex(({ type }) => type === "retry") + 1);
  const last = events.at(-1);
  return {
    events,
    end: last?.type === "end" ? last : null,
    error,
    retries,
    text: afterRetry.map((event) => (event.type === "text_delta" ? event.text : "")).join(""),
  };
}
