// The schemas of spec/: current, well-formed, and right about examples, the draft's own among them.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askSchema, EVENT_TYPES, type EventType, eventSchema, parseCreateTicket } from "@hap/protocol";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { exampleTicket } from "../../packages/protocol/test/example-ticket.ts";
import { sampleDeletion, sampleGrants, sampleLog, sampleNames, sampleQuorum } from "../../scripts/spec/sample-log.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "spec/schemas");
const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
formats.default(ajv);
const schemas = new Map(paths.map((path) => [path, JSON.parse(readFileSync(join(folder, path), "utf8"))]));
const fits = (path: string, value: unknown) => ajv.compile(schemas.get(path))(JSON.parse(JSON.stringify(value)));
const hash = `sha256:${"e3f8a9b2".repeat(8)}`;

/** Section 3.1 of the draft, its hash completed. */
const draftTicket = {
  id: "tk_9f3",
  from: "agent:code_assist",
  to: "human:alex",
  intent: {
    kind: "modify_file",
    summary: "Refactor authentication middleware",
    details: { file: "src/auth/middleware.ts", diff: "...", lines_added: 12, lines_removed: 5 },
  },
  artifact: { type: "git_diff", repo: "github.com/acme/app", base_commit: "a1b2c3d4", diff_hash: hash },
  lease: { ttl_seconds: 3600, on_timeout: "auto_reject" },
  risk: 0.22,
  priority: "normal",
  created_at: "2025-10-29T10:01:05Z",
};
/** Section 3.4 of the draft, its hash, nonce and base64 completed. */
const draftIntent = {
  ticket_id: "tk_9f3",
  from: "human:alex",
  decision: "approve",
  artifact_hash: hash,
  expires_at: "2025-10-29T10:06:30Z",
  nonce: `n_${"923f1a00".repeat(4)}`,
  signature: { algorithm: "ES256", value: "base64url_encoded_sig", credential_id: "base64url_encoded_credential" },
  comment: "LGTM, refactor looks solid",
};

describe("the files", () => {
  const generate = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/generate-spec.ts", ...args], { cwd: root, encoding: "utf8" });

  test("[SPEC-SCHEMA-1, SPEC-ERRORS-1, SPEC-VECTORS-1] are current", () => {
    const { status, stderr } = generate("--check");
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("that are not current, or left over, are listed, and written anew", () => {
    const copy = mkdtempSync(join(tmpdir(), "hap-spec-"));
    try {
      for (const name of ["schemas", "vectors", "errors.md", "shell-verdicts.md", "store-schema.txt"])
        cpSync(join(root, "spec", name), join(copy, name), { recursive: true });
      writeFileSync(join(copy, "errors.md"), "old");
      rmSync(join(copy, "schemas/events/ticket.ack.json"));
      writeFileSync(join(copy, "vectors/old.json"), "{}");
      const check = generate("--check", "--into", copy);
      expect(check.status).toBe(1);
      expect(check.stderr).toBe(
        "spec/errors.md is not current\nspec/schemas/events/ticket.ack.json is not current\nspec/vectors/old.json is left over\nRun `npm run spec` and commit what it changes.\n",
      );
      expect(generate("--into", copy).stdout).toMatch(/^2 written, 1 removed/);
      expect(generate("--check", "--into", copy).status).toBe(0);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  test.each(paths)("[SPEC-SCHEMA-1] %s is a draft-07 schema with its own id", (path) => {
    expect(schemas.get(path)).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: `https://hap-protocol.org/schemas/${path.replaceAll("\\", "/")}`,
      title: expect.any(String),
      description: expect.any(String),
    });
    expect(() => ajv.compile(schemas.get(path))).not.toThrow();
  });

  test("[SPEC-SCHEMA-1] there is one for every event type", () => {
    expect(
      paths
        .filter((path) => path.startsWith("events"))
        .map((path) => path.slice(7, -5))
        .sort(),
    ).toEqual([...EVENT_TYPES].sort());
  });
});

describe("[SPEC-SCHEMA-2] a ticket", () => {
  test("of the draft's example is one, although it lacks what 0.2 adds", () => {
    expect(fits("ticket.json", draftTicket)).toBe(true);
    expect(fits("ticket.json", { ...draftTicket, artifact: null })).toBe(true);
    const { artifact: _, ...without } = draftTicket;
    expect(fits("ticket.json", without)).toBe(true);
    expect(fits("written-ticket.json", draftTicket)).toBe(false);
  });

  test("[VERSION-IGNORE-1] as a 0.2 runtime writes it is one, in both readings, and may have more fields", () => {
    for (const path of ["ticket.json", "written-ticket.json"]) {
      expect(fits(path, exampleTicket)).toBe(true);
      expect(fits(path, { ...exampleTicket, later: { x: 1 } })).toBe(true);
    }
  });

  test.each<[string, object]>([
    ["an id in upper case", { id: "tk_9F3" }],
    ["a person as its agent", { from: "human:alex" }],
    ["an agent as its person", { to: "agent:x" }],
    ["no summary", { intent: { kind: "modify_file", details: {} } }],
    ["a summary of 201 characters", { intent: { ...draftTicket.intent, summary: "a".repeat(201) } }],
    ["an empty summary", { intent: { ...draftTicket.intent, summary: "" } }],
    ["a kind with a space", { intent: { ...draftTicket.intent, kind: "modify file" } }],
    ["the draft's unfinished hash", { artifact: { ...draftTicket.artifact, diff_hash: "sha256:e3f8a9b2..." } }],
    ["no time to live", { lease: { ttl_seconds: 0, on_timeout: "auto_reject" } }],
    ["eight days", { lease: { ttl_seconds: 691_200, on_timeout: "auto_reject" } }],
    ["another timeout", { lease: { ttl_seconds: 60, on_timeout: "retry" } }],
    ["a risk of 9", { risk: 9 }],
    ["another priority", { priority: "urgent" }],
    ["a day for a time", { created_at: "2025-10-29" }],
    ["another state", { state: "OPEN" }],
  ])("with %s is none", (_, change) => {
    expect(fits("ticket.json", { ...draftTicket, ...change })).toBe(false);
  });
});

describe("[SPEC-SCHEMA-2] a signed intent", () => {
  test("of the draft's example is one, and so is an unsigned one", () => {
    expect(fits("intent.json", draftIntent)).toBe(true);
    expect(fits("intent.json", { ...draftIntent, signature: null, later: 1 })).toBe(true);
  });

  test.each<[string, object]>([
    ["another decision", { decision: "maybe" }],
    ["the draft's unfinished nonce", { nonce: "n_923f1a..." }],
    ["an agent", { from: "agent:x" }],
    ["another algorithm", { signature: { ...draftIntent.signature, algorithm: "none" } }],
    ["half a signature", { signature: { algorithm: "ES256", value: "c2ln" } }],
    ["a comment longer than any review", { comment: "a".repeat(20_001) }],
  ])("with %s is none", (_, change) => {
    expect(fits("intent.json", { ...draftIntent, ...change })).toBe(false);
  });
});

describe("[EVENT-SHAPE-1] events", () => {
  /** What a version, or a log of before, leaves out. */
  const OPTIONAL = new Set(["unproven", "seat", "on_behalf_of", "why"]);
  const log = [...sampleLog(), ...sampleNames(), ...sampleDeletion(), ...sampleGrants(), ...sampleQuorum()];

  test("of every type fit their schemas, in JSON and in code", () => {
    expect(new Set(log.map((event) => event.type))).toEqual(new Set(EVENT_TYPES));
    for (const { type, payload } of log) {
      expect(fits(`events/${type}.json`, payload), type).toBe(true);
      expect(eventSchema(type as EventType).parse(payload), type).toEqual(payload);
    }
  });

  test.each(log.map((event) => [event.type, event.payload] as const))(
    "a %s without one of its fields is none",
    (type, payload) => {
      // Votes of before D35 do not say whether they are unproven.
      for (const key of Object.keys(payload)) {
        const { [key]: _, ...rest } = payload;
        expect(fits(`events/${type}.json`, rest), key).toBe(OPTIONAL.has(key));
      }
    },
  );

  test("with a person's name or words in them are none", () => {
    const ack = log.find((event) => event.type === "ticket.ack")?.payload;
    expect(fits("events/ticket.ack.json", { ...ack, from: "human:alex" })).toBe(false);
    expect(fits("events/ticket.ack.json", { ...ack, note: "Reviewing now..." })).toBe(false);
  });
});

describe("[SPEC-SCHEMA-1] what is asked", () => {
  const inputs = [
    { type: "approval" },
    { type: "text", prompt: "Why?" },
    { type: "confirm" },
    { type: "choice", options: ["a", { id: "b", label: "B" }] },
    { type: "form", fields: [{ label: "Name" }, { label: "N", kind: "number", default: 1 }, { label: "C", options: ["a"] }] },
  ];
  test.each(inputs)("%j fits as input, and its full form as what is kept", (input) => {
    expect(fits("ask-input.json", input)).toBe(true);
    const full = askSchema().parse(input);
    expect(fits("ask.json", full)).toBe(true);
    expect(fits("ask-input.json", full)).toBe(true);
    expect(fits("create-ticket.json", { summary: "x", ask: input })).toBe(true);
  });

  test.each([{ type: "poll" }, { type: "choice", options: [] }, { type: "form" }, { type: "confirm", default: "yes" }, {}])(
    "%j is no question",
    (input) => {
      expect(fits("ask-input.json", input) && fits("ask.json", input)).toBe(false);
    },
  );

  test("answers fit by their type", () => {
    for (const answer of [
      { type: "text", text: "x" },
      { type: "choice", choices: ["1"], other: "y" },
      { type: "confirm", confirmed: false },
      { type: "form", values: { a: 1, b: ["x"], c: true, d: "s" } },
    ])
      expect(fits("answer.json", answer)).toBe(true);
    for (const answer of [
      { type: "text" },
      { type: "choice", choices: "1" },
      { type: "confirm", confirmed: "yes" },
      { type: "form", values: { a: {} } },
    ])
      expect(fits("answer.json", answer)).toBe(false);
  });

  test("a new ticket fits in both forms, as the code takes it", () => {
    for (const input of [{}, draftTicketInput("flat"), draftTicketInput("nested")]) {
      expect(fits("create-ticket.json", input)).toBe(true);
      expect(() => parseCreateTicket(input)).not.toThrow();
    }
    for (const input of [[], { risk: 9 }, { details: "x" }, { lease: { ttl_seconds: 0 } }, { kind: "A B" }, { escalate_to: [] }])
      expect(fits("create-ticket.json", input)).toBe(false);
  });
});

function draftTicketInput(form: "flat" | "nested"): object {
  const { to, intent, lease } = draftTicket;
  return form === "nested" ? { to, intent, lease } : { to, kind: intent.kind, summary: intent.summary, ...intent.details, lease };
}

describe("[SPEC-SCHEMA-3] the payload of a cue", () => {
  const path = "envelopes/cueme-payload.json";
  const { tests } = JSON.parse(readFileSync(join(root, "spec/vectors/cueme.json"), "utf8")) as {
    tests: { comment: string; flags: string[]; input: { text: string }; result: string }[];
  };
  const payloadOf = (text: string) =>
    JSON.parse(/<cueme_payload>\s+(.*?)\s+<\/cueme_payload>/s.exec(text)?.[1] ?? "null") as unknown;
  const structured = tests.filter(({ flags }) => flags.some((flag) => ["Choice", "Confirm", "Form"].includes(flag)));

  test("has one example of each type, and they fit", () => {
    const { examples } = schemas.get(path) as { examples: { type: string }[] };
    expect(examples.map(({ type }) => type)).toEqual(["choice", "confirm", "form"]);
    for (const example of examples) expect(fits(path, example), example.type).toBe(true);
  });

  test("takes every payload of the vectors that is taken, and refuses what a schema can refuse", () => {
    for (const { comment, input, result } of structured)
      if (result === "valid") expect(fits(path, payloadOf(input.text)), comment).toBe(true);
    const left = structured.filter(({ input, result }) => result === "invalid" && fits(path, payloadOf(input.text)));
    expect(left.map(({ comment }) => comment)).toEqual([
      "a choice of nothing",
      "two options with one id",
      "labels that are the same",
      "a label that reads as its contrary",
      "two fields of one name",
    ]);
  });
});
