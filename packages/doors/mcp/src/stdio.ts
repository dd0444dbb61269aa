// `hap mcp`: the server over standard input and output, for a host that starts it as a process. Whichever revision the host
// opens with is served; changes are watched for only once the host asked to hear of them.
import { randomBytes } from "node:crypto";
import type { AgentClient } from "@hap/sdk/agent";
import type { Server, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Face } from "./face.ts";
import { messageLines } from "./json-lines.ts";
import { makeServer } from "./make-server.ts";
import { serveSubscriptions } from "./old-subscriptions.ts";
import { watchTickets } from "./watch-tickets.ts";

export type StdioOptions = {
  /** Without a name: as the agent that this server was started for. */
  connect: (agent?: string) => Promise<AgentClient>;
  project: string | null;
  reviewUrl: ((ticketId: string) => string) | null;
  warn: (text: string) => void;
};

/** Serve until the host closes standard input. */
export async function serveMcpStdio(options: StdioOptions): Promise<void> {
  let client: Promise<AgentClient> | null = null;
  const joined = new Map<string, Promise<AgentClient>>();
  let stopWatching: (() => void) | null = null;
  let server: Server | null = null;
  const face: Face = {
    client: () => {
      client ??= options.connect();
      // A store that could not be opened is tried again on the next call.
      client.catch(() => {
        client = null;
      });
      return client;
    },
    clientFor: (agent) => {
      const open = joined.get(agent) ?? options.connect(agent);
      joined.set(agent, open);
      open.catch(() => joined.delete(agent));
      return open;
    },
    filesInline: false,
    project: options.project,
    reviewUrl: options.reviewUrl,
    stateKey: randomBytes(32),
    subscriptions: true,
  };
  const watch = () => {
    stopWatching ??= watchTickets(face.client, (uri) => void server?.sendResourceUpdated({ uri }).catch(warn), warn);
  };
  const warn = (error: Error) => options.warn(error.message);
  const closed = Promise.withResolvers<void>();
  const handle = serveStdio(
    ({ era }) => {
      const made = makeServer(face);
      if (era === "legacy") stopWatching = serveSubscriptions(made, face.client, warn);
      server = made;
      return made;
    },
    { transport: noticing(watch, closed.resolve), onerror: warn },
  );
  await closed.promise;
  (stopWatching as (() => void) | null)?.();
  await handle.close();
  for (const connected of [client as Promise<AgentClient> | null, ...joined.values()])
    await connected?.then(
      (open) => open.close(),
      () => {},
    );
}

/**
 * Standard input and output, with an ear for `subscriptions/listen`, which the SDK answers by itself, and for the end.
 * A line that is not a message is answered here.
 */
function noticing(listening: () => void, ended: () => void): Transport {
  const lines = messageLines((error) => process.stdout.write(`${JSON.stringify(error)}\n`));
  const wire = new StdioServerTransport(process.stdin.pipe(lines));
  const transport: Transport = {
    start() {
      wire.onmessage = (message) => {
        if ("method" in message && message.method === "subscriptions/listen") listening();
        transport.onmessage?.(message);
      };
      wire.onerror = (error) => transport.onerror?.(error);
      wire.onclose = () => {
        transport.onclose?.();
        ended();
      };
      return wire.start();
    },
    send: (message) => wire.send(message),
    close: () => wire.close(),
  };
  return transport;
}
