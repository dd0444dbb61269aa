// What an agent can read as resources, as JSON: its open tickets, all of them, its part of the event log, and one ticket.
import { HapError } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk/agent";
import { type ReadResourceResult, type Resource, ResourceNotFoundError } from "@modelcontextprotocol/server";

const PAGE = 100;
const mimeType = "application/json";

export const PENDING_URI = "hap://tickets/pending";
export const ALL_URI = "hap://tickets/all";
export const EVENTS_URI = "hap://events";

export const RESOURCES: readonly Resource[] = [
  {
    uri: PENDING_URI,
    name: "pending-tickets",
    title: "Open tickets",
    description: "Your tickets that are not decided yet.",
    mimeType,
  },
  {
    uri: ALL_URI,
    name: "all-tickets",
    title: "All tickets",
    description: `Your tickets in any state, newest first, ${PAGE} a page.`,
    mimeType,
  },
  {
    uri: EVENTS_URI,
    name: "event-log",
    title: "Event log",
    description: "The events of your tickets, in the form that is hashed.",
    mimeType,
  },
];

export const TEMPLATES = [
  {
    uriTemplate: "hap://tickets/{id}",
    name: "ticket",
    title: "One ticket",
    description: "One ticket of yours, by its id.",
    mimeType,
  },
  {
    uriTemplate: "hap://tickets/pending{?cursor}",
    name: "pending-tickets-page",
    description: "A later page; cursor is `next`.",
    mimeType,
  },
  {
    uriTemplate: "hap://tickets/all{?cursor}",
    name: "all-tickets-page",
    description: "A later page; cursor is `next`.",
    mimeType,
  },
  { uriTemplate: "hap://events{?after}", name: "event-log-page", description: "Events after one, by its cursor.", mimeType },
];

/** The resource of one ticket. */
export function ticketUri(id: string): string {
  return `hap://tickets/${id}`;
}

/** True for something that can be read, and so be watched. */
export function isResource(uri: string): boolean {
  return RESOURCES.some((resource) => resource.uri === uri) || /^hap:\/\/tickets\/tk_[a-z0-9]{3,}$/.test(uri);
}

/** Read one. What is not the agent's own is not there. */
export async function readResource(client: AgentClient, uri: string): Promise<ReadResourceResult> {
  const [path = "", query = ""] = uri.split("?", 2);
  const asked = new URLSearchParams(query);
  const value = await read(client, path, asked).catch((error: unknown) => {
    if (error instanceof HapError && error.kind === "missing") throw new ResourceNotFoundError(uri);
    throw error;
  });
  if (value === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType, text: JSON.stringify(value, null, 2) }] };
}

async function read(client: AgentClient, path: string, asked: URLSearchParams): Promise<unknown> {
  const cursor = asked.get("cursor");
  const page = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
  if (path === PENDING_URI) return client.list({ ...page, state: "open" });
  if (path === ALL_URI) return client.list(page);
  if (path === EVENTS_URI) {
    const after = asked.get("after");
    return client.events(after === null ? {} : { after });
  }
  const [, id] = /^hap:\/\/tickets\/(tk_[a-z0-9]+)$/.exec(path) ?? [];
  return id === undefined ? undefined : client.getTicket(id);
}
