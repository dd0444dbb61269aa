// A person's connection to a server, from a process: with the sign-in that `hap login` kept.
import { HapError } from "@hap/protocol";
import type { PersonConnection } from "../person-client.ts";
import { openTransport, type RemoteOptions } from "./open-transport.ts";
import { askWhoIAm, remotePerson } from "./person.ts";
import { readToken } from "./token-file.ts";

/** Decide over a server, as whoever signed in. */
export async function connectRemotePerson(options: RemoteOptions, person: string | undefined): Promise<PersonConnection> {
  const token = options.token ?? readToken(options.url);
  if (token === null)
    throw new HapError("login_needed", `You are not signed in at ${options.url}. Run \`hap login\`.`, { url: options.url });
  const transport = openTransport(options, token);
  const me = await askWhoIAm(transport);
  if (me.kind !== "person" || (person !== undefined && person !== me.id)) {
    transport.close();
    throw new HapError("not_addressee", `You are signed in at ${options.url} as ${me.id}, not as ${person}. Run \`hap login\`.`, {
      person: me.id,
    });
  }
  return remotePerson(transport, me);
}
