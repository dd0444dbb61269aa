// What one connection of a model's host is to us: an agent, its project, and where its person decides.
import type { AgentClient } from "@hap/sdk/agent";

/** A connection. Nothing in it decides: it holds the agent's end of the telephone and no other (D2). */
export type Face = {
  /** The agent's client. Asked for when a tool is called, so that a server is ready before its store is open. */
  client: () => Promise<AgentClient>;
  /** The client of an agent that joined through this connection's key or store; refused for others. */
  clientFor: (agent: string) => Promise<AgentClient>;
  /** True where the host cannot read files that we write to disk: what people send then travels in the result. */
  filesInline: boolean;
  /** The folder that tickets are about unless a call names another. */
  project: string | null;
  /** The page on which a person decides a ticket, or null where there is none. */
  reviewUrl: ((ticketId: string) => string) | null;
  /** The secret that authenticates what travels through the client and back (at least 32 bytes). */
  stateKey: Uint8Array;
  /** True where the host can be told of changes on its own. */
  subscriptions: boolean;
};
