// The person's client on an engine of this process.
import type { HapEngine } from "@hap/core";
import type { AssuranceLevel } from "@hap/protocol";
import { PersonConnection } from "../person-client.ts";
import { personHandlers } from "./handlers/person.ts";
import { runOn } from "./run.ts";

/** Decide on an engine. `assurance` says how well the caller knows that it is this person (D3). */
export function embeddedPerson(engine: HapEngine, person: string, assurance: AssuranceLevel = "local"): PersonConnection {
  return new PersonConnection(person, {
    send: runOn(personHandlers, { kind: "person", engine, person, assurance, readsAll: true }),
    trust: engine.trust,
    place: engine.path,
    role: null,
    untilEnd: (id, { timeoutMs, signal }) => engine.waitFor(id, { timeout: timeoutMs, signal }),
    follow: (options) => engine.follow(options),
    issueCode: async (purpose) => engine.issueCode({ purpose, person }),
    close: () => engine.dispose(),
  });
}
