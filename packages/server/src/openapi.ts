// The OpenAPI 3.1 document, from the same table and the same schemas that serve.
import { ERRORS, PROTOCOL_VERSION } from "@hap/protocol";
import * as z from "zod";
import type { Route } from "./route.ts";

type JsonObject = Record<string, unknown>;

const problem = () =>
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(["internal_error", ...Object.keys(ERRORS)]),
  });

/** What each group of routes is for. */
const TAGS: Record<string, string> = {
  tickets: "Open a ticket, wait for it, and use its answer",
  decisions: "What a person does with a ticket",
  log: "The event log: pages, live, verified",
  policy: "Rules that answer for people",
  conversations: "Agents that join and ask, and people who leave words for them",
  identity: "Keys of agents, people, and how they sign in",
  credentials: "Keys by which people sign",
  webhooks: "Events that are sent on to other programs",
  push: "Browsers that are called when a ticket waits",
};

/** Describe every route. */
export function openapi(routes: readonly Route[], version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const entry of routes) paths[entry.path] = { ...paths[entry.path], [entry.method]: operation(entry) };
  return {
    openapi: "3.1.0",
    info: {
      title: "HAP",
      version,
      summary: "Tickets between people and their agents",
      description: `The HTTP face of the Human-Agent Protocol ${PROTOCOL_VERSION}. Agents come with an API key, people with a sign-in.`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: TAGS[name] as string,
    })),
    security: [],
    paths,
    components: {
      securitySchemes: {
        agent: { type: "http", scheme: "bearer", description: "An API key: `hap key create --agent agent:NAME`" },
        person: { type: "http", scheme: "bearer", description: "A sign-in token: `hap login`" },
        page: { type: "apiKey", in: "cookie", name: "hap", description: "The page's own sign-in" },
      },
      schemas: { Problem: schemaOf(problem(), "output") },
      responses: {
        Problem: {
          description: "What went wrong, as problem details (RFC 9457)",
          headers: { "Retry-After": { schema: { type: "integer" }, description: "Seconds to wait, on 429 and 503" } },
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
    },
  };
}

function operation(entry: Route): JsonObject {
  const { answer, also, body, example } = entry;
  return {
    operationId: entry.id,
    tags: [entry.tag],
    summary: entry.summary,
    security: securityOf(entry),
    parameters: [...pathParameters(entry.path), ...queryParameters(entry.query), ...headers(entry)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: entry.bodyRequired !== false,
            content: { "application/json": { schema: schemaOf(body, "input"), ...(example === undefined ? {} : { example }) } },
          },
        }),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(answer.schema === null
          ? answer.type === undefined
            ? {}
            : { content: { [answer.type]: { schema: { type: "string" } } } }
          : { content: { "application/json": { schema: schemaOf(answer.schema, "output") } } }),
      },
      ...Object.fromEntries(Object.entries(also ?? {}).map(([status, description]) => [status, { description }])),
      "4XX": { $ref: "#/components/responses/Problem" },
      "5XX": { $ref: "#/components/responses/Problem" },
    },
  };
}

function securityOf({ who }: Route): JsonObject[] {
  const agent = [{ agent: [] }];
  const person = [{ person: [] }, { page: [] }];
  if (who === "anyone") return [];
  return who === "agent" ? agent : who === "either" ? [...agent, ...person] : person;
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1, maxLength: 300 },
  }));
}

function queryParameters(query: z.ZodType | undefined): JsonObject[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function headers(entry: Route): JsonObject[] {
  const list: JsonObject[] = [];
  if (entry.who === "agent" || entry.who === "either")
    list.push({
      name: "HAP-Agent",
      in: "header",
      required: false,
      description: "An agent that joined through this key, to act as",
      schema: { type: "string", maxLength: 80 },
    });
  if (entry.id === "createTicket")
    list.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "The same key and body within a day give the same ticket",
      schema: { type: "string", minLength: 1, maxLength: 200 },
    });
  if (entry.id === "streamEvents")
    list.push({ name: "Last-Event-ID", in: "header", required: false, schema: { type: "string", maxLength: 300 } });
  return list;
}

/** JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. Readers ignore unknown fields, so no object is closed. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const made = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as JsonObject;
  delete made.$schema;
  return made;
}
