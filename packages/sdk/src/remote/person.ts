// The person's client on a server.
import { type CodePurpose, HapError } from "@hap/protocol";
import type { OutputOf } from "@hap/protocol/operations";
import { personOperations } from "@hap/protocol/operations/person";
import { serverOperations } from "@hap/protocol/operations/server";
import { PersonConnection } from "../person-client.ts";
import { followEvents } from "./live.ts";
import { sendTo } from "./send.ts";
import type { Transport } from "./transport.ts";
import { waitRemotely } from "./waiting.ts";

/** What the server says about the caller. */
export type Me = OutputOf<typeof serverOperations.me>;

/** Decide over a server, as whoever the transport's sign-in is. */
export function remotePerson(transport: Transport, me: Me): PersonConnection {
  const send = sendTo(transport, personOperations);
  return new PersonConnection(me.id, {
    send,
    trust: me.trust,
    place: transport.url,
    role: me.role,
    untilEnd: (id, options) => waitRemotely((input, signal) => send("getTicket", input, { signal }), id, options),
    follow: (options) => followEvents(transport, options),
    issueCode: (purpose) => refuseCode(transport, purpose),
    close: () => transport.close(),
  });
}

/** Who the server says the caller is. */
export function askWhoIAm(transport: Transport): Promise<Me> {
  return sendTo(transport, serverOperations)("me", {});
}

/** A code belongs on the terminal of the server's machine. */
async function refuseCode(transport: Transport, purpose: CodePurpose): Promise<never> {
  const { command = "hap" } = await sendTo(transport, serverOperations)("waysToLogIn", {});
  throw new HapError(
    "terminal_needed",
    `A code for ${purpose} is made where the store is: run \`${command} login --code${purpose === "enrol" ? " --enrol" : ""}\` in a terminal of the server's machine.`,
  );
}
