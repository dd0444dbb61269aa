// What an encoder is: events in, frames out, in one dialect. Encoders keep only what they need to number and to pair frames.
import type { RunEvent } from "./run-event.ts";

export type Frame = Record<string, unknown>;

export interface Encoder {
  /** The frames of one event, in order; often none. */
  encode(event: RunEvent): Frame[];
}

/** What every frame carries. */
export type Identity = { session_id: () => string; uuid: () => string };
