// The way in for the server's own page: fetch and the page's cookie; nothing of Node, nothing of the engine.
import type { Send } from "@hap/protocol/operations";
import { personOperations } from "@hap/protocol/operations/person";
import { serverOperations } from "@hap/protocol/operations/server";
import type { PersonConnection } from "./person-client.ts";
import { FetchTransport } from "./remote/fetch-transport.ts";
import { askWhoIAm, remotePerson } from "./remote/person.ts";
import { sendTo } from "./remote/send.ts";
import type { Transport } from "./remote/transport.ts";

/** The person who is signed in on this page; the error `login_needed` when nobody is. */
export async function connectPage(transport: Transport = pageTransport()): Promise<PersonConnection> {
  return remotePerson(transport, await askWhoIAm(transport));
}

/** A connection to the server for what only a page does: signing in, passkeys, notifications. */
export function pageTransport(url = globalThis.location.origin): Transport {
  return new FetchTransport(url);
}

/** Runs the operations that only a server offers. */
export const sendToServer = (transport: Transport) => sendTo(transport, serverOperations);

/** Runs a person's operations whose input only a browser makes: passkeys. */
export const sendAsPerson = (transport: Transport): Send<typeof personOperations> => sendTo(transport, personOperations);

export type { PersonConnection } from "./person-client.ts";
export { problemError, type Transport, unreachable, type WireRequest, type WireResponse } from "./remote/transport.ts";
