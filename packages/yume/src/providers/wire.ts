// What every wire format has to say: how a request is written, and how the events of its stream are read.
import type { ModelError, ModelEvent, ModelRequest } from "../model/types.ts";
import type { Framing } from "./stream/read-events.ts";

/** A request, ready to be posted. `secrets` are never shown, whatever the server echoes. */
export type WireCall = { url: string; headers: Record<string, string>; body: unknown; secrets: string[] };

/** Reads one answer. */
export interface WireDecoder {
  /** One event: its JSON, or its text where it is none, and its name. Throws a `ModelError` when the event is an error. */
  take(data: unknown, event: string | null): void;
  /** The deltas since the last time. */
  drain(): ModelEvent[];
  /** `complete`: why it stopped is known, only usage may follow. `over`: nothing follows. */
  readonly state: "open" | "complete" | "over";
  /** The turn; called in the states complete and over only. */
  end(): ModelEvent;
}

export type Wire = {
  /** Named in messages. */
  readonly label: string;
  readonly framing: Framing;
  /** What to do when the server does not accept who we are: which variable to set. */
  readonly authHint: string;
  call(request: ModelRequest, signal: AbortSignal): WireCall | Promise<WireCall>;
  decoder(request: ModelRequest): WireDecoder;
  /** Learns from a refusal: true when the next request will be another one, worth a try at once. */
  learn?(error: ModelError): boolean;
};
