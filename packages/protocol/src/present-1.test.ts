import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleTicket } from "../test/example-ticket.ts";
import type { Block } from "./block.ts";
import { presentationText } from "./present.ts";
import { presentOne as present } from "./present-1.ts";
import type { Ticket } from "./schema/ticket.ts";
import { findLookAlikes, hasInvisible } from "./text-safety.ts";

const withDetails = (details: Ticket["intent"]["details"], more: Partial<Ticket> = {}): Ticket => ({
  ...exampleTicket,
  ...more,
  intent: { ...exampleTicket.intent, details },
});
const warnings = (ticket: Ticket) =>
  present(ticket)
    .blocks.filter((block) => block.type === "warning")
    .map((block) => block.text);
const facts = (ticket: Ticket) =>
  Object.fromEntries(
    present(ticket)
      .blocks.filter((block) => block.type === "fact")
      .map((block) => [block.label, `${block.origin}: ${block.value}`]),
  );
const runtimeText = (blocks: readonly Block[]) => JSON.stringify(blocks.filter((block) => block.origin === "runtime"));

describe("[PRESENT-PURE-1] the blocks", () => {
  test("of the draft's example, all of them, in order", () => {
    const { blocks, v, ticket_id } = present(exampleTicket);
    expect([v, ticket_id]).toEqual([1, exampleTicket.id]);
    expect(blocks).toEqual([
      {
        type: "plain",
        origin: "runtime",
        text: 'agent:code_assist wants to change "src/auth/middleware.ts" (1 file, +2 -1 lines).',
      },
      { type: "text", origin: "agent", label: "Summary", text: "Refactor authentication middleware" },
      { type: "fact", origin: "agent", label: "From", value: "agent:code_assist" },
      { type: "fact", origin: "agent", label: "Intent", value: "modify_file" },
      { type: "fact", origin: "agent", label: "File", value: "src/auth/middleware.ts" },
      {
        type: "diff",
        origin: "agent",
        label: "Diff",
        text: exampleTicket.intent.details.diff,
        files: [{ path: "src/auth/middleware.ts", added: 2, removed: 1 }],
      },
      { type: "fact", origin: "runtime", label: "Risk", value: "0.26 (low)" },
      { type: "fact", origin: "runtime", label: "Risk factors", value: "scope 0.1, environment 0.3, confidence 0.5" },
      { type: "fact", origin: "runtime", label: "Tier", value: "routine" },
      { type: "fact", origin: "runtime", label: "Effects", value: "write_inside" },
      { type: "fact", origin: "agent", label: "Artifact", value: "git_diff" },
      { type: "fact", origin: "runtime", label: "Artifact hash", value: exampleTicket.artifact.diff_hash },
      { type: "fact", origin: "runtime", label: "Bytes hash", value: exampleTicket.artifact.bytes_hash },
      { type: "fact", origin: "agent", label: "Priority", value: "normal" },
      { type: "fact", origin: "agent", label: "Lease", value: "3600 seconds, then auto_reject" },
    ]);
  });

  test("hold every detail, whatever its key or shape", () => {
    const details = JSON.parse('{"command":"ls","content":"x","file":7,"z":1,"__proto__":{"hidden":true},"note":"é"}');
    const { blocks } = present(withDetails(details));
    expect(blocks).toContainEqual({ type: "command", origin: "agent", label: "Command", text: "ls" });
    expect(blocks).toContainEqual({ type: "content", origin: "agent", label: "Content", text: "x" });
    expect(blocks).toContainEqual({
      type: "json",
      origin: "agent",
      label: "Details",
      text: '{"__proto__":{"hidden":true},"file":7,"note":"\\u00e9","z":1}',
    });
    expect(present(withDetails({})).blocks.some((block) => block.type === "json")).toBe(false);
  });

  test("name what the agent gave beside the details, and say that it is the agent's", () => {
    const ticket: Ticket = {
      ...exampleTicket,
      intent: { ...exampleTicket.intent, confidence: 0.00001 },
      artifact: { ...exampleTicket.artifact, environment: "dev", repo: "github.com/acme/app", base_commit: "a1b2c3d4" },
      project: "/srv/app",
      session: "s1",
      risk_claimed: 0.1,
    };
    expect(facts(ticket)).toMatchObject({
      Confidence: "agent: 1e-05",
      Environment: "agent: dev",
      Repository: "agent: github.com/acme/app",
      "Base commit": "agent: a1b2c3d4",
      Project: "agent: /srv/app",
      Session: "agent: s1",
      Risk: "runtime: 0.26 (low); the agent claimed 0.1",
    });
    expect(facts({ ...exampleTicket, risk_claimed: 0.26 }).Risk).toBe("runtime: 0.26 (low)");
  });

  test("show a question whole, as the agent's", () => {
    const ask: Ticket["ask"] = { type: "confirm", text: "Sure?", confirm_label: "Go", cancel_label: "Stop" };
    expect(present({ ...exampleTicket, ask }).blocks).toContainEqual({ type: "question", origin: "agent", ask });
  });

  test("[ARTIFACT-OPAQUE-1] warn of what is opaque, and call its hashes the agent's", () => {
    const ticket: Ticket = {
      ...withDetails({}),
      effects: ["opaque"],
      artifact: { ...exampleTicket.artifact, body: null, opaque: true },
    };
    expect(warnings(ticket)).toEqual([
      "It holds something that HAP cannot read.",
      "HAP does not hold what this hash stands for: you approve something that you cannot see here.",
    ]);
    expect(facts(ticket)["Bytes hash"]).toBe(`agent: ${ticket.artifact.bytes_hash}`);
  });

  test("warn of each effect that is not harmless, in their order", () => {
    expect(warnings({ ...exampleTicket, effects: ["delete_outside", "network", "read_inside"] })).toEqual([
      "It deletes outside the project.",
      "It uses the network.",
    ]);
    expect(facts({ ...exampleTicket, effects: [] }).Effects).toBe("runtime: none found");
  });

  test.each<[string, Partial<Ticket>]>([
    ["the summary", { intent: { ...exampleTicket.intent, summary: "a\u202eb" } }],
    ["a detail", { intent: { ...exampleTicket.intent, details: { x: [{ y: "\u200b" }] } } }],
    ["a detail's key", { intent: { ...exampleTicket.intent, details: { "\u2066": 1 } } }],
    [
      "a path that a diff quotes",
      { intent: { ...exampleTicket.intent, details: { diff: '--- "a/\\342\\200\\256"\n+++ "b/\\342\\200\\256"\n' } } },
    ],
    ["the question", { ask: { type: "text", prompt: "\u2060" } }],
    ["the repository", { artifact: { ...exampleTicket.artifact, repo: "\u00ad" } }],
    ["the project", { project: "\ufeff" }],
  ])("[PRESENT-VISIBLE-1] warn of hidden characters in %s", (_, change) => {
    expect(warnings({ ...exampleTicket, ...change })).toEqual([
      "The agent's words hold invisible or direction-changing characters; they are shown as <U+XXXX>.",
    ]);
  });

  test("[PRESENT-VISIBLE-1] warn exactly where a text or a key, looked at alone, holds such characters or words", () => {
    const word = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom("pаge", "x\u202e", "\t\n", "\u007f", "é"));
    const details = fc.dictionary(word, fc.oneof(word, fc.array(word), fc.dictionary(word, word, { maxKeys: 3 })), {
      maxKeys: 3,
    });
    const all = (value: unknown): string[] =>
      typeof value === "string" ? [value] : Object.entries(value as object).flatMap(([key, item]) => [key, ...all(item)]);
    fc.assert(
      fc.property(details, (written) => {
        const texts = all(written);
        const told = warnings(withDetails(written));
        expect(told.some((text) => text.includes("invisible"))).toBe(texts.some(hasInvisible));
        expect(told.some((text) => text.includes("look alike"))).toBe(texts.some((text) => findLookAlikes(text).length > 0));
      }),
      { numRuns: 500 },
    );
  });

  test("name words that imitate others, at most five, cut and quoted", () => {
    const words = ["pаge", "аpi", "сurl", "ехec", "оpen", "сat", `а${"b".repeat(100)}`];
    expect(warnings(withDetails({ words }))).toEqual([
      `Some words mix letters of different alphabets that look alike: "pаge", "а${"b".repeat(59)}…", "аpi", "ехec", "оpen" and 2 more.`,
    ]);
  });
});

describe("[PRESENT-PURE-1] the text that is hashed", () => {
  test("is canonical JSON and does not change with the order of keys", () => {
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.constantFrom("pаge", "сurl", "x\u202e"));
    const details = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("file", "diff", "command", "content", "1", "аx", "bе")),
      value,
      { maxKeys: 8 },
    );
    fc.assert(
      fc.property(details, (written) => {
        const reversed = Object.fromEntries(Object.entries(written).reverse());
        expect(presentationText(present(withDetails(reversed)))).toBe(presentationText(present(withDetails(written))));
      }),
    );
  });

  test("does not change with time, state or people", () => {
    const later: Ticket = {
      ...exampleTicket,
      state: "ACKED",
      to: "human:sam",
      updated_at: "2027-01-01T00:00:00Z",
      seq: 99,
      lease: { ...exampleTicket.lease, remaining_seconds: 1, paused: true },
    };
    expect(presentationText(present(later))).toBe(presentationText(present(exampleTicket)));
  });

  test("changes with everything that the agent wrote", () => {
    const text = presentationText(present(exampleTicket));
    const changes: Partial<Ticket>[] = [
      { from: "agent:other" },
      { intent: { ...exampleTicket.intent, kind: "create_file" } },
      { intent: { ...exampleTicket.intent, summary: "x" } },
      { intent: { ...exampleTicket.intent, details: { ...exampleTicket.intent.details, x: 1 } } },
      { intent: { ...exampleTicket.intent, confidence: 0.5 } },
      { artifact: { ...exampleTicket.artifact, bytes_hash: exampleTicket.ticket_hash } },
      { ask: { type: "text" } },
      { lease: { ...exampleTicket.lease, on_timeout: "cancel" } },
      { priority: "low" },
      { id: "tk_other" },
    ];
    for (const change of changes) expect(presentationText(present({ ...exampleTicket, ...change }))).not.toBe(text);
  });
});

test("[PRESENT-PURE-1] words of the agent stand in no block of the runtime, but for a file's name in quotes and quoted look-alikes", () => {
  const evil = fc
    .string({ unit: fc.constantFrom('"', "\n", "runtime", "}", "\\", " ", "SAFE", "\u202e") })
    .map((text) => `«${text}»`);
  fc.assert(
    fc.property(evil, evil, evil, (summary, value, key) => {
      const ticket: Ticket = {
        ...exampleTicket,
        intent: {
          kind: "modify_file",
          summary,
          details: { [key]: value, command: value, content: value, diff: value, lines_added: value, file: value, list: [value] },
          confidence: null,
        },
        ask: { type: "choice", prompt: value, options: [{ key, label: value }], allow_multiple: false, allow_other: false },
        artifact: { ...exampleTicket.artifact, repo: value, base_commit: value },
        project: value,
      };
      for (const asked of [ticket, { ...ticket, ask: exampleTicket.ask }]) {
        const { blocks } = present(asked);
        const outside = runtimeText(blocks).replace(/\\"«[^"\n]*»\\"/, "");
        expect(outside).not.toMatch(/[«»]|SAFE/);
      }
    }),
  );
});
