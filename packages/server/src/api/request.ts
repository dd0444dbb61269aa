// One request of the API: who calls, from where, and how to tell that they are gone.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { HapEngine } from "@hap/core";
import type { Caller } from "@hap/sdk/embedded";
import type { OpenCalls } from "../auth/open-calls.ts";
import type { Principal } from "../auth/principal.ts";
import { callerOf } from "../auth/principal.ts";
import { clientAddress } from "../client-address.ts";
import type { RequestNotes } from "../observe/observe-requests.ts";

/** Reads headers by their lower-case name. */
export type Headers = { get: (name: string) => string | null };

/** The headers of a request of node:http. */
export function headersOf({ headers }: IncomingMessage): Headers {
  return {
    get: (name) => {
      const value = headers[name];
      return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
    },
  };
}

/** A request that was authenticated and authorised. */
export class ApiRequest {
  readonly headers: Headers;
  readonly principal: Principal | null;
  readonly engine: HapEngine;
  /** Ids and numbers for the log and the trace. */
  readonly notes: RequestNotes;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The path under which the space is served: empty, or `/s/NAME`. */
  readonly base: string;
  readonly #calls: OpenCalls;
  #gone: AbortController | null = null;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    about: {
      headers: Headers;
      principal: Principal | null;
      engine: HapEngine;
      notes: RequestNotes;
      calls: OpenCalls;
      base: string;
    },
  ) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.headers = about.headers;
    this.principal = about.principal;
    this.engine = about.engine;
    this.notes = about.notes;
    this.base = about.base;
    this.#calls = about.calls;
  }

  /** The address of the other end. */
  get remote(): string {
    return clientAddress(this.incoming);
  }

  /** The address that the caller used, with the path of its space. */
  get address(): string {
    const secure = "encrypted" in this.incoming.socket;
    return `${secure ? "https" : "http"}://${this.headers.get("host") ?? ""}${this.base}`;
  }

  /** True when nobody waits for the answer any more. */
  get gone(): boolean {
    return this.outgoing.destroyed || this.outgoing.closed;
  }

  /** Aborts when the other end closes the connection, or the caller's access ends. Made on demand: most requests never wait. */
  get signal(): AbortSignal {
    if (this.#gone === null) {
      const gone = new AbortController();
      this.#gone = gone;
      if (this.gone) gone.abort();
      else {
        const leave = this.principal === null ? () => {} : this.#calls.watch(this.principal, (why) => gone.abort(why));
        this.outgoing.once("close", () => {
          leave();
          // After an answer the connection's end means nothing.
          if (!this.outgoing.writableFinished) gone.abort();
        });
      }
    }
    return this.#gone.signal;
  }

  /** The caller as handlers see it; null when nobody signed in. */
  get caller(): Caller | null {
    return this.principal === null ? null : callerOf(this.engine, this.principal, () => this.signal);
  }
}
