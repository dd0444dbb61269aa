// Elicitation: what an MCP server asks the person, as a form. What a form of ours cannot hold is left to the host's own dialog.
import { hash } from "node:crypto";
import { callHash, type Json } from "@hap/protocol";
import type { AskInput } from "@hap/sdk/agent";
import type { Answer } from "../answer.ts";
import type { HookOptions } from "../options.ts";
import { type HookEvent, isObject, type JsonObject, word } from "../read-event.ts";
import { OUR_SERVER } from "../tools.ts";
import { withClient } from "./ask-person.ts";
import { attach } from "./attach.ts";
import { title } from "./ticket-input.ts";

type Field = Extract<NonNullable<AskInput["ask"]>, { type: "form" }>["fields"][number];

/** Ask the person what the server asks; a link, or a schema that is no flat form, is the host's business. */
export async function elicit(event: HookEvent, options: HookOptions, project: string | null, now: number): Promise<Answer> {
  const fields = isObject(event.raw.requested_schema) ? toFields(event.raw.requested_schema) : null;
  if (word(event.raw, "mode") === "url" || fields === null) return { decision: "none" };
  const server = word(event.raw, "mcp_server_name") ?? "an MCP server";
  // Our own server has opened a ticket for what it asks; the host's dialog is the second place to answer it, not a second ticket.
  if (server === OUR_SERVER) return { decision: "none" };
  const message = word(event.raw, "message") ?? "";
  const input: AskInput = {
    kind: "question",
    summary: title(`${server} asks: ${message}`),
    details: { server },
    ...(project === null ? {} : { project }),
    ...(options.to === null ? {} : { to: options.to }),
    lease: { ttl_seconds: options.ttlSeconds, on_timeout: "cancel" },
    ask: { type: "form", prompt: message, fields },
  };
  return withClient(options, {
    async open(client) {
      const asked = { message, schema: event.raw.requested_schema as Json };
      const call = { agent: client.agent, project, tool: `elicitation:${server}`, input: asked };
      const identity = callHash(call, (data) => hash("sha256", data, "hex"));
      return { identity, ...(await attach(client, identity, input, { now, timerYes: false })) };
    },
    async wait(client, { ticket, identity }) {
      const outcome = await client.wait(ticket.id, { timeoutMs: options.waitSeconds * 1000 });
      if (outcome.status === "rejected") return { decision: "elicited", action: "decline" } as const;
      if (outcome.status !== "answered" || outcome.answer?.type !== "form")
        return { decision: "elicited", action: "cancel" } as const;
      await client.consume(ticket.id, identity);
      return { decision: "elicited", action: "accept", content: outcome.answer.values } as const;
    },
  });
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
