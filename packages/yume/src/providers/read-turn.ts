// One answer, from its bytes to its turn. It ends with a whole turn or throws: a stream that stops before the model said why
// it stopped is broken, however politely it was closed.
import { ModelError, type ModelEvent } from "../model/types.ts";
import { parseJson } from "./call-arguments.ts";
import type { ProviderSettings } from "./settings.ts";
import { type Framing, readEvents } from "./stream/read-events.ts";
import { errorFromEvent } from "./transport/http-error.ts";
import type { Answer } from "./transport/post.ts";
import type { Wire, WireDecoder } from "./wire.ts";

/** Keep-alives alone do not go on for ever: so many idle times without an event end a stream. */
const idleTimesWithoutEvent = 5;

type Patience = Pick<ProviderSettings, "idleTimeoutMs" | "usageGraceMs">;

export async function* readTurn(
  answer: Omit<Answer, "status">,
  wire: Pick<Wire, "label" | "authHint" | "framing">,
  decoder: WireDecoder,
  { idleTimeoutMs, usageGraceMs }: Patience,
): AsyncGenerator<ModelEvent> {
  const contentType = answer.headers["content-type"] ?? "";
  const watch = () =>
    setTimeout(
      () => answer.stop(new ModelError("network", `${wire.label} sent nothing but keep-alives`)),
      idleTimeoutMs * idleTimesWithoutEvent,
    );
  let stuck = watch();
  let grace: NodeJS.Timeout | undefined;
  try {
    for await (const events of readEvents(answer.body, framingOf(contentType, wire.framing))) {
      clearTimeout(stuck);
      for (const { event, data } of events) {
        const value = parseJson(data);
        const error = errorFromEvent(value, wire);
        if (error !== null) throw error;
        decoder.take(value ?? data, event);
        if (decoder.state === "over") break;
      }
      yield* decoder.drain();
      if (decoder.state === "over") break;
      stuck = watch();
      if (decoder.state === "complete")
        grace ??= setTimeout(() => answer.stop(new ModelError("network", "no usage came")), usageGraceMs);
    }
  } catch (error) {
    // Once it is known why the model stopped, whatever happens to the connection takes nothing away.
    if (decoder.state === "open" || (error instanceof ModelError && error.kind === "aborted")) throw error;
  } finally {
    clearTimeout(stuck);
    clearTimeout(grace);
    if (decoder.state === "over") answer.release();
    else answer.stop();
  }
  if (decoder.state === "open") {
    const instead = /json|event-stream|text\/plain|^$/.test(contentType)
      ? ""
      : ` (it sent ${contentType}: is the API base right?)`;
    throw new ModelError("broken_stream", `${wire.label}: the stream ended before the answer was complete${instead}`);
  }
  yield* decoder.drain();
  yield decoder.end();
}

/** A server that does not stream, though it was asked to, sends one JSON value. */
const framingOf = (contentType: string, wanted: Framing): Framing =>
  wanted === "sse" && contentType.startsWith("application/json") ? "json" : wanted;
