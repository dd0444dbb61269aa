// One route: its words for the OpenAPI document, who may use it, what it takes, and what it does. One table serves both.
import type { HapEngine } from "@hap/core";
import type { KeyScope } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk/agent";
import type { PersonClient } from "@hap/sdk/person";
import type * as z from "zod";
import type { Principal } from "./auth/principal.ts";

/** Who may use a route: `agent` takes the scope that a key needs; `person` those who are signed in; `owner` only owners. */
type Audience = "anyone" | "agent" | "person" | "owner" | "either";

type Shape = z.ZodType | undefined;
type Given<S extends Shape> = S extends z.ZodType ? z.infer<S> : undefined;

/** What a handler is given: parsed, authorised. */
export type Call<Q extends Shape = Shape, B extends Shape = Shape> = {
  request: Request;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
  /** The address of the other end, where it is known. */
  remote: string | null;
  params: Record<string, string>;
  query: Given<Q>;
  body: Given<B>;
  engine: HapEngine;
  principal: Principal | null;
  /** The agent's client; on routes for agents, and for an agent on routes for either. */
  agent: AgentClient;
  /** The person's client; on routes for people, and for a person on routes for either. */
  person: PersonClient;
};

/** What a handler gives back: JSON with a status and headers, or a whole response. */
export type Reply = { status?: number; body: unknown; headers?: Record<string, string> } | Response;

export type Route<Q extends Shape = Shape, B extends Shape = Shape> = {
  method: "get" | "post" | "put" | "delete";
  /** As OpenAPI writes it: `/v1/tickets/{id}`. */
  path: string;
  /** The operation's name in the document. */
  id: string;
  tag: string;
  summary: string;
  who: Audience;
  /** What an agent's key must allow. */
  scope?: KeyScope;
  query?: Q;
  body?: B;
  /** False where an empty body will do. */
  bodyRequired?: boolean;
  /** Who checks the body: `handler` gets any JSON object, and the schema only describes it. */
  bodyParsedBy?: "route" | "handler";
  /** An example of the body for the document. */
  example?: unknown;
  /** The answer: its status and the shape of its body; null for none. */
  answer: { status: number; schema: z.ZodType | null; description: string; type?: string };
  /** Further statuses that are no errors. */
  also?: Record<number, string>;
  /** Larger bodies than usual, in bytes. */
  maxBytes?: number;
  handle: (call: Call<Q, B>) => Promise<Reply> | Reply;
};

/** Declare a route; the types of query and body follow from their schemas. */
export function route<Q extends Shape = undefined, B extends Shape = undefined>(definition: Route<Q, B>): Route {
  return definition as unknown as Route;
}
