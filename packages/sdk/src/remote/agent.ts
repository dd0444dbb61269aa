// The agent's client on a server.
import { type CreateTicketInput, ID_BYTES, makeId } from "@hap/protocol";
import type { Send } from "@hap/protocol/operations";
import { agentOperations } from "@hap/protocol/operations/agent";
import { AgentConnection, type AgentLine } from "../agent-client.ts";
import { sendTo } from "./send.ts";
import { Backoff, mayRetry, type Transport } from "./transport.ts";
import { waitRemotely } from "./waiting.ts";

/** How often a new ticket is sent when the connection breaks: the server knows it by its id, which we make (D12). */
const CREATE_TRIES = 3;

/** Ask over a server. */
export function remoteAgent(transport: Transport, agent: string, saveFiles: AgentLine["saveFiles"]): AgentConnection {
  const send = sendTo(transport, agentOperations);
  return new AgentConnection(agent, {
    send: (async (name, input, options) => {
      if (name !== "createTicket") return send(name, input, options);
      const ticket = input as CreateTicketInput;
      const id = ticket.id ?? makeId("tk_", crypto.getRandomValues(new Uint8Array(ID_BYTES)));
      return retry(() => send("createTicket", { ...ticket, id }, options));
    }) as Send<typeof agentOperations>,
    untilEnd: (id, options) => waitRemotely((input, signal) => send("getTicket", input, { signal }), id, options),
    saveFiles,
    close: () => transport.close(),
  });
}

async function retry<T>(work: () => Promise<T>): Promise<T> {
  const backoff = new Backoff();
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === CREATE_TRIES || !mayRetry(error)) throw error;
      await backoff.pause();
    }
  }
}
