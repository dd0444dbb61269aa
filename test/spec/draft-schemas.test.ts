// The schemas of the draft's sections 21.1 and 21.2, as they stand there, accept our tickets and intents wherever they have a word for
// what those hold. What they cannot accept is listed, so that nothing else slips in.
import { readFileSync } from "node:fs";
import type { HapEngine } from "@hap/core";
import type { CreateTicketInput, Json } from "@hap/protocol";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Authenticator } from "../../packages/core/test/signing/authenticator.ts";
import { decide } from "../../packages/core/test/signing/decisions.ts";
import { enrolPasskey } from "../../packages/core/test/signing/enrol.ts";
import { testStore } from "../../packages/core/test/test-world.ts";

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.default(ajv);
const schema = (name: string) =>
  ajv.compile(JSON.parse(readFileSync(new URL(`draft/${name}.schema.json`, import.meta.url), "utf8")));
const [ticketSchema, intentSchema] = [schema("ticket"), schema("intent")];
const problems = (validate: typeof ticketSchema, value: unknown) =>
  validate(value) ? [] : (validate.errors ?? []).map(({ instancePath }) => instancePath);

let store: ReturnType<typeof testStore>;
let engine: HapEngine;
beforeEach(() => {
  store = testStore();
  engine = store.open({ trust: "remote" });
});
afterEach(() => store.remove());

const open = (input: CreateTicketInput) =>
  engine.createTicket({ from: "agent:ci", to: "human:alex", summary: "Please", ...input });
const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n";

test.each<[string, CreateTicketInput, string]>([
  ["a diff", { kind: "modify_file", file: "a.ts", diff }, "git_diff"],
  ["a command", { kind: "run_command", details: { command: "make deploy", cwd: "/srv" } }, "command_script"],
  ["a file's content", { kind: "create_file", file: "a.ts", details: { content: "x" } }, "file_content"],
  ["a deploy by a command", { kind: "deploy", environment: "prod", details: { command: "make deploy" } }, "command_script"],
])("[DRAFT-SCHEMA-1] 21.1 accepts a ticket for %s, open and ended", (_what, input, type) => {
  const ticket = open(input);
  expect(ticket.artifact.type).toBe(type);
  expect(problems(ticketSchema, ticket)).toEqual([]);
  engine.reject(ticket.id, "no", { by: "human:alex" });
  expect(problems(ticketSchema, engine.getTicket(ticket.id))).toEqual([]);
});

test.each<[string, CreateTicketInput, string[]]>([
  ["an action that holds no bytes", { kind: "delete_file", file: "a.ts" }, ["/artifact/type"]],
  ["a question", { ask: { type: "confirm" } }, ["/intent/kind", "/artifact/type"]],
  ["a kind of one's own", { kind: "send_letter", details: { content: "x" } }, ["/intent/kind"]],
])("[DRAFT-SCHEMA-1] 21.1 has no word for %s, and finds nothing else wrong with it", (_what, input, expected) => {
  expect(problems(ticketSchema, open(input))).toEqual(expected);
});

test("[DRAFT-SCHEMA-1] a command's hash covers all that stands beside it, whatever its type is called", () => {
  const one = open({ kind: "run_command", details: { command: "make", cwd: "/srv/a" } }).artifact;
  const other = open({ kind: "run_command", details: { command: "make", cwd: "/srv/b" } }).artifact;
  expect([one.body, one.bytes_hash === other.bytes_hash]).toEqual([null, false]);
});

test.each(["ES256", "ES384", "ES512", "RS256"] as const)(
  "[DRAFT-SCHEMA-2] 21.2 accepts an intent signed with %s",
  (algorithm) => {
    const passkey = new Authenticator(algorithm);
    enrolPasskey(engine, passkey, { material: passkey.coseMaterial });
    const { id } = open({ kind: "run_command", details: { command: "make" } });
    decide(engine, id, (statement) => passkey.assert(statement));
    const [shown] = shownIntents(id);
    expect(problems(intentSchema, shown)).toEqual([]);
    expect(shown).not.toHaveProperty("comment");
    // In the log, which is hashed and signed, what was not said stays null.
    const [logged] = engine.getEvents({ ticket: id }).flatMap(({ payload }) => (payload.type === "intent.sign" ? [payload] : []));
    expect(logged?.intent).toMatchObject({ comment: null, edits: null });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  },
);

test("[DRAFT-SCHEMA-2] 21.2 finds nothing wrong with an unsigned intent but that it is not signed", () => {
  const { id } = open({ kind: "modify_file", file: "a.ts", diff });
  engine.approve(id, "LGTM", { by: "human:alex" });
  const [shown] = shownIntents(id);
  expect(shown).toMatchObject({ comment: "LGTM", decision: "approve" });
  expect(intentSchema(shown)).toBe(false);
  expect(intentSchema.errors?.map(({ params }) => params)).toEqual([{ missingProperty: "signature" }]);
});

/** The intents of a ticket as people and agents read them. */
function shownIntents(id: string): Json[] {
  const events = engine.history(id) as { type: string; intent: Json }[];
  return events.filter(({ type }) => type === "intent.sign").map(({ intent }) => intent);
}
