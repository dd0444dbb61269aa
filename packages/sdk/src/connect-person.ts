// The way in for a person's faces (D2): the only client that decides.
import { parseHumanId } from "@hap/protocol";
import { type ConnectOptions, serverUrl } from "./connect-options.ts";
import type { PersonClient } from "./person-client.ts";

/** Decide. `person` defaults to HAP_HUMAN_ID, else who ran `hap start`, else the local user. The engine is loaded when it is needed. */
export async function connectPerson(options: ConnectOptions & { person?: string } = {}): Promise<PersonClient> {
  const { person, busyMs, dbPath, home, world } = options;
  const url = serverUrl(options);
  if (url !== null) {
    const { connectRemotePerson } = await import("./remote/connect-person.ts");
    const stated = person ?? (process.env.HAP_HUMAN_ID || undefined);
    return connectRemotePerson({ ...options, url }, stated === undefined ? undefined : parseHumanId(stated, "person"));
  }
  const [core, { embeddedPerson }] = await Promise.all([import("@hap/core"), import("./embedded/person.ts")]);
  const humanId = person === undefined ? undefined : parseHumanId(person, "person");
  const database = core.resolveDatabase({ dbPath });
  if (database !== null) {
    const { openPostgres } = await import("@hap/core/postgres");
    const engine = await core.HapEngine.open({ home, humanId, store: () => openPostgres(database) });
    return embeddedPerson(engine, engine.localPerson);
  }
  const engine = new core.HapEngine({ busyMs, dbPath, home, world, humanId, shared: true });
  return embeddedPerson(engine, engine.localPerson);
}

export type { DecideOptions, PersonClient } from "./person-client.ts";
