import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../test/refusal.ts";
import {
  ID_BYTES,
  ID_PATTERNS,
  makeEventId,
  makeId,
  makeNonce,
  parseAskerId,
  parseHumanId,
  quote,
  shortCode,
  toIdName,
} from "./identifiers.ts";

const random = fc.uint8Array({ minLength: ID_BYTES, maxLength: ID_BYTES });
const zeros = new Uint8Array(ID_BYTES);
const ones = new Uint8Array(ID_BYTES).fill(255);

describe("making", () => {
  test("[ID-SHAPE-1] every id that we make has the shape that readers accept", () => {
    fc.assert(
      fc.property(random, fc.integer({ min: 0, max: 8_640_000_000_000_000 }), (bytes, now) => {
        expect(makeId("tk_", bytes)).toMatch(ID_PATTERNS.ticket);
        expect(makeId("tk_", bytes)).toMatch(ID_PATTERNS.clientTicket);
        expect(makeId("tk_", bytes)).toMatch(/^tk_[0-9a-hjkmnp-tv-z]{26}$/);
        expect(makeId("rt_", bytes)).toMatch(ID_PATTERNS.runtime);
        expect(makeId("prj_", bytes)).toMatch(ID_PATTERNS.project);
        expect(makeId("human:", bytes)).toMatch(ID_PATTERNS.handle);
        expect(makeId("human:", bytes)).toMatch(ID_PATTERNS.human);
        expect(makeEventId(now, bytes)).toMatch(ID_PATTERNS.event);
        expect(makeNonce(bytes)).toMatch(ID_PATTERNS.nonce);
      }),
    );
  });

  test("all 130 bits of chance count: different bytes make different ids", () => {
    fc.assert(
      fc.property(random, fc.nat(129), (bytes, bit) => {
        const flipped = Uint8Array.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (0x80 >> (bit & 7));
        expect(makeId("tk_", flipped)).not.toBe(makeId("tk_", bytes));
      }),
    );
  });

  test("bits are taken from the highest on", () => {
    expect(makeId("tk_", zeros)).toBe(`tk_${"0".repeat(26)}`);
    expect(makeId("tk_", ones)).toBe(`tk_${"z".repeat(26)}`);
    expect(makeId("tk_", Uint8Array.of(0b00001_000, 0b10_00011_0, ...zeros.slice(2)))).toBe(`tk_123${"0".repeat(23)}`);
    expect(makeNonce(Uint8Array.of(1, 0xab, ...zeros.slice(2)))).toBe(`n_01ab${"0".repeat(28)}`);
  });

  test("event ids of a later millisecond sort later", () => {
    fc.assert(
      fc.property(fc.nat(4_000_000_000_000), fc.integer({ min: 1, max: 100_000 }), random, random, (now, step, a, b) => {
        expect(makeEventId(now, a) < makeEventId(now + step, b)).toBe(true);
      }),
    );
  });

  test("too few bytes are an error, not a short id", () => {
    expect(() => makeId("tk_", new Uint8Array(16))).toThrow("base32 of 16 bytes has fewer than 26 characters");
  });

  test("the short code is the last six characters", () => {
    expect(shortCode("tk_0123456789abcdefghjkmnpqrs")).toBe("mnpqrs");
    expect(shortCode("tk_9f3")).toBe("tk_9f3");
  });
});

describe("reading", () => {
  test.each<[string, keyof typeof ID_PATTERNS, string, boolean]>([
    ["the draft's short ticket id", "ticket", "tk_9f3", true],
    ["a ticket id of two", "ticket", "tk_9f", false],
    ["a ticket id in upper case", "ticket", "tk_9F3", false],
    ["a ticket id and a newline", "ticket", "tk_9f3\n", false],
    ["an own id of 20 characters", "clientTicket", `tk_${"a".repeat(17)}`, true],
    ["an own id of 19 characters", "clientTicket", `tk_${"a".repeat(16)}`, false],
    ["an own id made of a sha256", "clientTicket", `tk_${"0".repeat(64)}`, true],
    ["an own id that is longer", "clientTicket", `tk_${"0".repeat(65)}`, false],
    ["a nonce of the draft's length", "nonce", "n_923f1a", false],
    ["a nonce", "nonce", `n_${"0f".repeat(16)}`, true],
    ["a nonce that is no hex", "nonce", `n_${"0g".repeat(16)}`, false],
    ["an event id with a letter that base32 has not", "event", `evt_${"u".repeat(26)}`, false],
    ["a token", "token", "modify_file", true],
    ["a token with every sign", "token", "0a_.:-", true],
    ["a token that begins with a sign", "token", "-a", false],
    ["a token of 64", "token", "a".repeat(64), true],
    ["a token of 65", "token", "a".repeat(65), false],
    ["an empty token", "token", "", false],
    ["a hash", "hash", `sha256:${"0".repeat(64)}`, true],
    ["a hash in upper case", "hash", `sha256:${"A".repeat(64)}`, false],
  ])("[ID-READ-1, INPUT-TOKEN-1] %s", (_, pattern, text, fits) => {
    expect(ID_PATTERNS[pattern].test(text)).toBe(fits);
  });

  test("[INPUT-IDS-1] a name alone is a person or an agent", () => {
    expect([parseHumanId("alex", "to"), parseHumanId("human:alex", "to")]).toEqual(["human:alex", "human:alex"]);
    expect(["ci", "agent:ci", "system:cron"].map((id) => parseAskerId(id, "from"))).toEqual([
      "agent:ci",
      "agent:ci",
      "system:cron",
    ]);
  });

  test.each(["", "agent:x", "human:", "human:Alex", "human:a b", "human:a\0", "human:a:b", `human:${"a".repeat(65)}`, "é"])(
    "[INPUT-IDS-1, INPUT-ERROR-1] %j is no person",
    (text) => {
      expect(refusal(() => parseHumanId(text, "to"))).toEqual({
        code: "invalid_id",
        message: `to is ${quote(text)}; a person is human:NAME, NAME of a-z, 0-9, _ and - (up to 64).`,
        field: "to",
      });
    },
  );

  test.each(["", "human:x", "agent:", "Agent:x", "agent:a/b", "system:é", `agent:${"a".repeat(65)}`])(
    "[INPUT-IDS-1, INPUT-ERROR-1] %j is no agent",
    (text) => {
      expect(refusal(() => parseAskerId(text, "from"))).toEqual({
        code: "invalid_id",
        message: `from is ${quote(text)}; an agent is agent:NAME, NAME of a-z, 0-9, _ and - (up to 64).`,
        field: "from",
      });
    },
  );

  test("nobody takes the timer's name", () => {
    expect(refusal(() => parseAskerId("system:timeout", "from"))).toEqual({
      code: "invalid_id",
      message: 'from is "system:timeout", which is the timer\'s own name; choose another.',
      field: "from",
    });
  });

  test("any name of a user becomes the name of an id", () => {
    expect(["Alex", "alex.w@corp", "", "Zoë Ω", "DOMAIN\\user"].map(toIdName)).toEqual([
      "alex",
      "alex_w_corp",
      "local",
      "zo_",
      "domain_user",
    ]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(`human:${toIdName(name)}`).toMatch(ID_PATTERNS.human);
      }),
    );
  });
});

test("a quoted text is printable ASCII of bounded length whatever it holds", () => {
  expect(quote('a"\n\u202e\ud800')).toBe('"a\\"\\n\\u202e\\ufffd"');
  expect(quote("x".repeat(70))).toBe(`"${"x".repeat(60)}…"`);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(quote(text)).toMatch(/^"[ -~]*…?"$/);
      expect(quote(text).length).toBeLessThan(400);
    }),
  );
});
