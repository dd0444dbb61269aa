// The way in for a person's faces (D2): the only client that decides.
import { parseHumanId } from "@hap/protocol";
import { type ConnectOptions, refuseRemote } from "./connect-options.ts";
import type { PersonClient } from "./person-client.ts";

/** Decide. `person` defaults to HAP_HUMAN_ID, else the local user. The engine is loaded when it is needed. */
export async function connectPerson(options: ConnectOptions & { person?: string } = {}): Promise<PersonClient> {
  refuseRemote();
  const { person, ...rest } = options;
  const [{ HapEngine, localPerson }, { EmbeddedPerson }] = await Promise.all([
    import("@hap/core"),
    import("./embedded/person.ts"),
  ]);
  const id = person === undefined ? localPerson(undefined) : parseHumanId(person, "person");
  return new EmbeddedPerson(new HapEngine({ ...rest, humanId: id }), id);
}

export type { DecideOptions, PersonClient } from "./person-client.ts";
