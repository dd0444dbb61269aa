// Elicitation: what an MCP server asks the person, as a form. What a form of ours cannot hold is left to the host's own dialog.
import type { Json } from "@hap/protocol";
import type { AskInput, GateCall } from "@hap/sdk/agent";
import type { Answer } from "../answer.ts";
import type { HookOptions } from "../options.ts";
import { type HookEvent, isObject, type JsonObject, word } from "../read-event.ts";
import { OUR_SERVER } from "../tools.ts";
import { passGate } from "./ask-person.ts";

type Field = Extract<NonNullable<AskInput["ask"]>, { type: "form" }>["fields"][number];

/** Ask the person what the server asks; a link, or a schema that is no flat form, is the host's business. */
export async function elicit(event: HookEvent, options: HookOptions, project: string | null, now: number): Promise<Answer> {
  const fields = isObject(event.raw.requested_schema) ? toFields(event.raw.requested_schema) : null;
  if (word(event.raw, "mode") === "url" || fields === null) return { decision: "none" };
  const server = word(event.raw, "mcp_server_name") ?? "an MCP server";
  // Our own server has opened a ticket for what it asks; the host's dialog is the second place to answer it, not a second ticket.
  if (server === OUR_SERVER) return { decision: "none" };
  const message = word(event.raw, "message") ?? "";
  const ticket: GateCall["ticket"] = {
    kind: "question",
    summary: `${server} asks: ${message}`,
    details: { server },
    ...(options.to === null ? {} : { to: options.to }),
    lease: { ttl_seconds: options.ttlSeconds, on_timeout: "cancel" },
    ask: { type: "form", prompt: message, fields },
  };
  const asked = { message, schema: event.raw.requested_schema as Json };
  const { gated } = await passGate({ tool: `elicitation:${server}`, input: asked, project, ticket }, options, { now: () => now });
  if (gated.open && gated.answer?.type === "form")
    return { decision: "elicited", action: "accept", content: gated.answer.values };
  return { decision: "elicited", action: !gated.open && gated.status === "rejected" ? "decline" : "cancel" };
}

/** A flat JSON schema as a form's fields, or null when it holds something else. */
function toFields(schema: JsonObject): Field[] | null {
  if (!isObject(schema.properties)) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(schema.properties).map(([key, property]) => toField(key, property, required.includes(key)));
  return fields.length > 0 && fields.every((field) => field !== null) ? fields : null;
}

const KINDS = new Map([
  ["string", "text"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
] as const);

function toField(key: string, property: unknown, required: boolean): Field | null {
  if (!isObject(property)) return null;
  const kind = KINDS.get(property.type as "string");
  if (kind === undefined) return null;
  const label = (word(property, "title") ?? word(property, "description") ?? key).slice(0, 200);
  if (property.enum === undefined) return { key, label, kind, required };
  const values = property.enum;
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string" && value !== "" && value.length <= 64))
    return null;
  return { key, label, required, options: values.map((value: string) => ({ key: value, label: value })) };
}
