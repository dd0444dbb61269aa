// The OpenAPI 3.1 document, from the table of operations and the schemas that requests are parsed with.
import { ERRORS, PROTOCOL_VERSION } from "@hap/protocol";
import { type Operation, shapes } from "@hap/protocol/operations";
import * as z from "zod";

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
  grants: "Answers to calls that come later: grants and denials of people",
  conversations: "Agents that join and ask, and people who leave words for them",
  identity: "Keys of agents, people, and how they sign in",
  credentials: "Keys by which people sign",
  webhooks: "Events that are sent on to other programs",
  push: "Browsers that are called when a ticket waits",
};

/** Describe every operation. */
export function openapi(operations: readonly Operation[], version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const entry of operations) paths[entry.path] = { ...paths[entry.path], [entry.method.toLowerCase()]: describe(entry) };
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
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
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

function describe(entry: Operation): JsonObject {
  const { status = 200, answer, also, example } = entry;
  const schema = entry.input?.(shapes);
  const isQuery = entry.method === "GET";
  return {
    operationId: entry.id,
    tags: [entry.tag],
    summary: entry.summary,
    security: securityOf(entry),
    parameters: [...pathParameters(entry.path), ...(isQuery ? queryParameters(schema) : []), ...headers(entry)],
    ...(schema === undefined || isQuery
      ? {}
      : {
          requestBody: {
            required: entry.needsBody === true || !schema.safeParse({}).success,
            content: { "application/json": { schema: schemaOf(schema, "input"), ...(example === undefined ? {} : { example }) } },
          },
        }),
    responses: {
      [status]: { description: answer, ...contentOf(entry) },
      ...Object.fromEntries(Object.entries(also ?? {}).map(([other, description]) => [other, { description }])),
      "4XX": { $ref: "#/components/responses/Problem" },
      "5XX": { $ref: "#/components/responses/Problem" },
    },
  };
}

function contentOf({ output, media }: Operation): JsonObject {
  if (media !== undefined) return { content: { [media]: { schema: { type: "string" } } } };
  return output === undefined ? {} : { content: { "application/json": { schema: schemaOf(output(shapes), "output") } } };
}

function securityOf({ who }: Operation): JsonObject[] {
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

function headers({ who, headers: own = {} }: Operation): JsonObject[] {
  const actingAs = { "HAP-Agent": { description: "An agent that joined through this key, to act as", maxLength: 80 } };
  const listed = { ...(who === "agent" || who === "either" ? actingAs : {}), ...own } as NonNullable<Operation["headers"]>;
  return Object.entries(listed).map(([name, { description, maxLength }]) => ({
    name,
    in: "header",
    required: false,
    ...(description === undefined ? {} : { description }),
    schema: { type: "string", maxLength },
  }));
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
