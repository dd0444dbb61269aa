// A store with a ticket of every kind in it, for tests that then do something to its files.
import type { HapEngine } from "../src/index.ts";
import { exampleDiff } from "./example-diff.ts";
import { someHash } from "./forge.ts";

/** Let something of everything happen, and close the engine; returns the tickets by what they are. */
export function makeHistory(engine: HapEngine) {
  const open = (more = {}) => engine.createTicket({ to: "human:alex", file: "src/a.ts", ttl_seconds: 60, ...more }).id;
  const ids = {
    pending: open(),
    delivered: engine.deliver(open()).id,
    acked: engine.ack(open(), "looking", { lapseSeconds: 30 }).id,
    held: engine.ack(open()).id,
    critical: engine.deliver(open({ kind: "run_command", details: { command: "sudo reboot" }, file: undefined })).id,
    question: engine.deliver(open({ ask: { type: "confirm" } })).id,
    hard: engine.deliver(open({ ask: { type: "confirm" }, risk: 0.9 })).id,
    chained: engine.deliver(open({ escalate_to: ["human:sam", "human:kim"] })).id,
    timed: engine.deliver(open({ on_timeout: "auto_approve" })).id,
    approved: engine.approve(open({ diff: exampleDiff, file: "src/auth/middleware.ts" }), "LGTM").id,
    rejected: engine.reject(open()).id,
  };
  engine.consume(ids.approved, { by: "agent:local", call_hash: someHash("a") });
  engine.heard(ids.approved, "agent:local");
  engine.note(ids.rejected, "sad", "agent:local");
  engine.dispose();
  return ids;
}

/** The tickets of such a store. */
export type Ids = ReturnType<typeof makeHistory>;
