// Calls that outlast the check at their start: streams, sockets, waits. Each ends at once when its key, its sign-in or its person is
// revoked, by this process or another.
import type { HapEngine } from "@hap/core";
import { HapError, type HapEvent } from "@hap/protocol";
import type { Principal } from "./principal.ts";

/** Events after which somebody may have less access than before. */
const REVOKING: ReadonlySet<HapEvent["type"]> = new Set([
  "key.revoke",
  "session.end",
  "person.erased",
  "role.set",
  "policy.trust",
]);
/** How often calls are checked without an event: keys and sign-ins also expire. */
const EXPIRY_CHECK_MS = 15_000;

type Ended = (why: HapError) => void;

/** Every open call, with whom it belongs to. */
export class OpenCalls {
  readonly #engine: HapEngine;
  readonly #calls = new Map<Ended, Principal>();
  readonly #stopWatching: () => void;
  readonly #timer: NodeJS.Timeout;
  #revocations = 0;

  constructor(engine: HapEngine, checkMs = EXPIRY_CHECK_MS) {
    this.#engine = engine;
    this.#stopWatching = engine.watchEvents((events) => {
      if (!events.some(({ type }) => REVOKING.has(type))) return;
      this.#revocations++;
      this.#check();
    });
    this.#timer = setInterval(() => this.#check(), checkMs).unref();
  }

  /** Changes whenever somebody may have lost access. */
  get revocations(): number {
    return this.#revocations;
  }

  /** Call `end` once when the principal's access ends; the returned function says that the call is over. */
  watch(principal: Principal, end: Ended): () => void {
    this.#calls.set(end, principal);
    return () => void this.#calls.delete(end);
  }

  close(): void {
    this.#stopWatching();
    clearInterval(this.#timer);
    this.#calls.clear();
  }

  #check(): void {
    for (const [end, principal] of [...this.#calls]) {
      const why = whyOver(this.#engine, principal);
      if (why === null) continue;
      this.#calls.delete(end);
      end(why);
    }
  }
}

/** Why the access that a call began with is over, or null while it holds. */
function whyOver(engine: HapEngine, principal: Principal): HapError | null {
  if (principal.kind === "agent")
    return engine.isKeyValid(principal.keyId)
      ? null
      : new HapError("key_invalid", "This API key was revoked or expired. Ask an owner for a new one.");
  if (principal.via !== "app" && !engine.isSignedIn(principal.secret))
    return new HapError("login_needed", "This sign-in is over. Sign in again: `hap login`.");
  return engine.roleOf(principal.person) === principal.role
    ? null
    : new HapError("scope_missing", `The role of ${principal.person} changed. Send the request again.`);
}
