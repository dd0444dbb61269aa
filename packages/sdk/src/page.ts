// The way in for the server's own page: fetch and the page's cookie; nothing of Node, nothing of the engine.
import { FetchTransport } from "./remote/fetch-transport.ts";
import { type Me, RemotePerson } from "./remote/person.ts";
import { callJson, type Transport } from "./remote/transport.ts";

/** The person who is signed in on this page; the error `login_needed` when nobody is. */
export async function connectPage(transport: Transport = pageTransport()): Promise<RemotePerson> {
  return new RemotePerson(transport, await callJson<Me>(transport, { method: "GET", path: "/v1/me" }));
}

/** A way to the server for what only a page does: signing in, keys, passkeys. */
export function pageTransport(url = globalThis.location.origin): Transport {
  return new FetchTransport(url);
}

export type { RemotePerson } from "./remote/person.ts";
export { callJson, problemError, type Transport, unreachable, type WireRequest, type WireResponse } from "./remote/transport.ts";
