// One-time codes (D25): short-lived, used once, few tries, durable, and kept only as a salted hash.
import { readFileSync } from "node:fs";
import { CODE } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => {
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  store.remove();
});

/** A code that is certainly not this one. */
const other = (code: string) => (code.startsWith("0") ? `1${code.slice(1)}` : `0${code.slice(1)}`);

describe("a one-time code", () => {
  it("[CODE-SHAPE-1] has 40 bits in two groups, and is read however a person types it", () => {
    const { code, expires_at } = engine.issueCode({ purpose: "login", person: "alex" });
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(Date.parse(expires_at) - world.now()).toBe(120_000);
    const typed = ` ${code.toLowerCase().replace("-", " ").replaceAll("1", "l").replaceAll("0", "o")} `;
    expect(engine.redeemCode(typed, "login")).toEqual({ person: "human:alex" });
    for (const wrong of ["", "1234", "1234-567", "UUUU-UUUU", "1234-56789"])
      expect(refusal(() => engine.redeemCode(wrong, "login")).code).toBe("invalid_input");
  });

  it("[CODE-ONCE-1] is used once, for its own purpose and by whoever it was made for", () => {
    const login = engine.issueCode({ purpose: "login", person: "human:alex" });
    const enrol = engine.issueCode({ purpose: "enrol", person: "human:sam" });
    expect(refusal(() => engine.redeemCode(login.code, "enrol")).code).toBe("code_wrong");
    expect(engine.redeemCode(enrol.code, "enrol")).toEqual({ person: "human:sam" });
    expect(engine.redeemCode(login.code, "login")).toEqual({ person: "human:alex" });
    expect(refusal(() => engine.redeemCode(login.code, "login")).code).toBe("code_wrong");
  });

  it("[CODE-ONCE-1] is replaced by the next one of that purpose and person", () => {
    const first = engine.issueCode({ purpose: "login", person: "alex" });
    const second = engine.issueCode({ purpose: "login", person: "alex" });
    expect(refusal(() => engine.redeemCode(first.code, "login")).code).toBe("code_wrong");
    expect(engine.redeemCode(second.code, "login")).toEqual({ person: "human:alex" });
  });

  it("[CODE-TIME-1] lives for two minutes", () => {
    const { code } = engine.issueCode({ purpose: "login", person: "alex" });
    world.advance(CODE.ttlMs - 1);
    const late = engine.issueCode({ purpose: "login", person: "sam" });
    expect(engine.redeemCode(code, "login")).toEqual({ person: "human:alex" });
    world.advance(CODE.ttlMs);
    const error = refusal(() => engine.redeemCode(late.code, "login"));
    expect(error.code).toBe("code_expired");
    expect(error.message).toContain("hap login --code");
  });

  it("[CODE-TRIES-1] is burned by five wrong tries, in whatever process, with all others of its purpose", () => {
    const alex = engine.issueCode({ purpose: "login", person: "alex" });
    const sam = engine.issueCode({ purpose: "login", person: "sam" });
    const enrol = engine.issueCode({ purpose: "enrol", person: "alex" });
    const elsewhere = store.open({ world });
    for (let left = 4; left >= 0; left--) {
      const error = refusal(() => (left % 2 === 0 ? engine : elsewhere).redeemCode(other(alex.code), "login"));
      expect(error.code).toBe("code_wrong");
      expect(error.fields.tries_left).toBe(left);
    }
    for (const { code } of [alex, sam]) expect(refusal(() => engine.redeemCode(code, "login")).code).toBe("code_wrong");
    expect(engine.redeemCode(enrol.code, "enrol")).toEqual({ person: "human:alex" });
  });

  it("[CODE-TRIES-1] counts wrong tries inside a shared transaction too", async () => {
    const { code } = engine.issueCode({ purpose: "login", person: "alex" });
    const tries = Array.from({ length: 5 }, () => engine.later(() => engine.redeemCode(other(code), "login")));
    const ends = await Promise.allSettled(tries);
    expect(ends.every(({ status }) => status === "rejected")).toBe(true);
    expect(refusal(() => engine.redeemCode(code, "login")).code).toBe("code_wrong");
  });

  it("[CODE-STORE-1] made by one process is redeemed by another, and no file of the store holds it", () => {
    const { code } = engine.issueCode({ purpose: "login", person: "alex" });
    for (const suffix of ["", "-wal"]) {
      const bytes = readFileSync(store.path + suffix, "latin1");
      expect(bytes).not.toContain(code);
      expect(bytes).not.toContain(code.replace("-", ""));
    }
    expect(store.open({ world }).redeemCode(code, "login")).toEqual({ person: "human:alex" });
  });

  it("[CODE-SHAPE-1] is refused for a purpose or a person that cannot be", () => {
    expect(refusal(() => engine.issueCode({ purpose: "admin" as "login", person: "alex" })).code).toBe("invalid_input");
    expect(refusal(() => engine.issueCode({ purpose: "login", person: "agent:ci" })).code).toBe("invalid_id");
    expect(refusal(() => engine.redeemCode("1234-5678", "admin" as "login")).code).toBe("invalid_input");
  });
});
