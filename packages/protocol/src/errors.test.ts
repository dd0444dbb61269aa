import { describe, expect, test } from "vitest";
import { ERROR_KINDS, ERRORS, type ErrorCode, HapError, isHapError } from "./errors.ts";

const codes = Object.keys(ERRORS) as ErrorCode[];

describe("[SPEC-ERRORS-1] the table", () => {
  test("its kinds are the six of the architecture, each with an exit code of its own that wait and verify do not use", () => {
    expect(Object.keys(ERROR_KINDS)).toEqual(["invalid", "denied", "missing", "conflict", "busy", "integrity"]);
    expect(Object.values(ERROR_KINDS).map((kind) => kind.exit)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test.each(codes)("%s has a kind, a status of that kind and a title", (code) => {
    const { kind, status, title } = ERRORS[code];
    const statuses: Record<string, number[]> = {
      invalid: [400, 405, 413, 422],
      denied: [401, 403, 409],
      missing: [404, 410],
      conflict: [409],
      busy: [429, 503, 507],
      integrity: [500],
    };
    expect(statuses[kind]).toContain(status);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  test("the draft's own words are the titles of its refusals", () => {
    expect([ERRORS.artifact_mismatch.title, ERRORS.nonce_used.title, ERRORS.intent_expired.title]).toEqual([
      "Artifact hash mismatch",
      "Nonce already used",
      "Intent expired",
    ]);
  });
});

describe("an error", () => {
  test("says code, title, message and fields on the wire, and knows kind, status and exit code", () => {
    const cause = new Error("disk");
    const error = new HapError("store_full", "The disk is full; free some space.", { file: "hap.db" }, cause);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: "store_full",
      title: "The disk did not take the data",
      message: "The disk is full; free some space.",
      fields: { file: "hap.db" },
    });
    expect([error.kind, error.status, error.exitCode, error.cause, error.name]).toEqual(["busy", 507, 6, cause, "HapError"]);
    expect(new HapError("invalid_input", "x").fields).toEqual({});
  });

  test("is recognised across bundles, and nothing else is", () => {
    const foreign = Object.assign(new Error("x"), { name: "HapError", code: "wrong_state", fields: {} });
    expect(isHapError(new HapError("wrong_state", "x"))).toBe(true);
    expect(isHapError(foreign)).toBe(true);
    for (const other of [
      new Error("x"),
      Object.assign(new Error("x"), { name: "HapError" }),
      Object.assign(new Error("x"), { name: "HapError", code: "constructor" }),
      Object.assign(new Error("x"), { code: "wrong_state" }),
      { name: "HapError", code: "wrong_state" },
      null,
      "wrong_state",
    ])
      expect(isHapError(other)).toBe(false);
  });
});
