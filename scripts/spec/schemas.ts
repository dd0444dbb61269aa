// The JSON Schemas of spec/schemas, draft-07, from the zod schemas that the code itself parses with.
import { PAYLOAD_SHAPES } from "@hap/door-cueme";
import { errorSchema, normativeQuestionSchema, plainQuestionSchema, responseSchema } from "@hap/door-envelope";
import {
  answerSchema,
  askSchema,
  createTicketSchema,
  EVENT_TYPES,
  eventSchema,
  personDataSchema,
  personDeletionSchema,
  signedIntentSchema,
  ticketSchema,
} from "@hap/protocol";
import { type JsonSchema, type Schema, toJsonSchema } from "@hap/protocol/json-schema";

type Described = { path: string; title: string; description: string; schema: Schema; io: "input" | "output" };

const base = "https://hap-protocol.org/schemas/";

const described: Described[] = [
  {
    path: "written-ticket.json",
    title: "WrittenTicket",
    description: "A ticket as a runtime of version 0.2 writes it: every field is there, what is absent is null.",
    schema: ticketSchema(),
    io: "output",
  },
  {
    path: "intent.json",
    title: "SignedIntent",
    description: "A decision as a person's client sends it; `signature` is null where nothing was signed.",
    schema: signedIntentSchema(),
    io: "input",
  },
  {
    path: "ask.json",
    title: "Ask",
    description: "What a ticket asks, in the full form that is kept and shown.",
    schema: askSchema(),
    io: "output",
  },
  {
    path: "ask-input.json",
    title: "AskInput",
    description: "What a ticket asks, as a caller may write it.",
    schema: askSchema(),
    io: "input",
  },
  {
    path: "answer.json",
    title: "Answer",
    description: "The answer to a question; choices are keys of options.",
    schema: answerSchema(),
    io: "output",
  },
  {
    path: "create-ticket.json",
    title: "CreateTicket",
    description: "What a caller may say to open a ticket, in the flat form, the nested form, or both where they agree.",
    schema: createTicketSchema(),
    io: "input",
  },
  {
    path: "person-data.json",
    title: "PersonData",
    description: "Everything in a store that is one person's, as `hap export-data` writes it.",
    schema: personDataSchema(),
    io: "output",
  },
  {
    path: "person-deletion.json",
    title: "PersonDeletion",
    description: "What the deletion of a person would do, or did, as `hap delete-human --json` writes it.",
    schema: personDeletionSchema(),
    io: "output",
  },
  {
    path: "envelopes/question-plain.json",
    title: "HumanQuestionPlain",
    description: "A human.question envelope in the plain dialect.",
    schema: plainQuestionSchema,
    io: "input",
  },
  {
    path: "envelopes/question-normative.json",
    title: "HumanQuestionNormative",
    description: "A human.question envelope in the normative dialect.",
    schema: normativeQuestionSchema,
    io: "input",
  },
  {
    path: "envelopes/response.json",
    title: "HumanResponse",
    description: "A person's answer to a human.question, in the dialect of the question.",
    schema: responseSchema,
    io: "output",
  },
  {
    path: "envelopes/error.json",
    title: "BridgeError",
    description: "Why a human.question has no answer.",
    schema: errorSchema,
    io: "output",
  },
  ...EVENT_TYPES.map(
    (type): Described => ({
      path: `events/${type}.json`,
      title: type,
      description: `The payload of a \`${type}\` event as it is hashed: texts as salted digests, people as handles.`,
      schema: eventSchema(type),
      io: "output",
    }),
  ),
];

/** Every schema file, by its path under spec/schemas. */
export function schemaFiles(): Map<string, string> {
  const files = new Map(
    described.map((one) => [one.path, print(one.path, one.title, one.description, toJsonSchema(one.schema, one.io))]),
  );
  const ticket = "A ticket as readers accept it: what the 0.1 draft requires, and the fields of 0.2 where they are given.";
  files.set("ticket.json", print("ticket.json", "Ticket", ticket, asDraft(toJsonSchema(ticketSchema(), "output"))));
  const payload = "The payload of a cue (D26): a question of one of these types; the prompt is the envelope's own.";
  const examples = Object.values(PAYLOAD_SHAPES).map((shape) => JSON.parse(shape) as JsonSchema);
  const cueme = { ...asPayload(toJsonSchema(askSchema(), "input")), examples } as JsonSchema;
  files.set("envelopes/cueme-payload.json", print("envelopes/cueme-payload.json", "CuemePayload", payload, cueme));
  return files;
}

/** What `cueme` asks with a payload: the structured types of an ask, without the prompt. */
function asPayload(ask: JsonSchema): JsonSchema {
  type Variant = { properties: Record<string, Record<string, unknown>> };
  const structured = (ask.oneOf as unknown as Variant[]).filter(({ properties }) =>
    ["choice", "confirm", "form"].includes(String(properties.type?.const)),
  );
  const oneOf = structured.map(({ properties: { prompt: _, allow_other, ...properties }, ...rest }) => ({
    ...rest,
    // A choice may always be answered in other words, unless the payload says no.
    properties: { ...properties, ...(allow_other === undefined ? {} : { allow_other: { ...allow_other, default: true } }) },
  })) as unknown as JsonSchema[];
  return { ...ask, oneOf };
}

/** What the draft requires of a ticket and its parts (21.1); 0.2 adds fields and requires none of them of a reader's input. */
const draftRequires = {
  "": ["id", "from", "to", "intent", "lease", "risk", "priority", "created_at"],
  intent: ["kind", "summary", "details"],
  artifact: ["type", "diff_hash"],
  lease: ["ttl_seconds", "on_timeout"],
} as const;

function asDraft(ticket: JsonSchema): JsonSchema {
  const parts = ticket.properties as Record<keyof typeof draftRequires, JsonSchema>;
  const require = (part: keyof typeof draftRequires, schema: JsonSchema): JsonSchema => ({
    ...schema,
    required: [...draftRequires[part]],
  });
  return {
    ...require("", ticket),
    properties: {
      ...parts,
      intent: require("intent", parts.intent),
      artifact: { anyOf: [require("artifact", parts.artifact), { type: "null" }] },
      lease: require("lease", parts.lease),
    },
  };
}

function print(path: string, title: string, description: string, { $schema, ...schema }: JsonSchema): string {
  return `${JSON.stringify({ $schema, $id: base + path, title, description, ...schema }, null, 2)}\n`;
}
