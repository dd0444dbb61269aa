import { describe, expect, it, test } from "vitest";
import { HapError } from "./errors.ts";
import { type PolicyFile, readPolicyFile, strictestConfine } from "./policy-read.ts";

const read = (file: unknown) => readPolicyFile(typeof file === "string" ? file : JSON.stringify(file), "p.json");
const withRule = (rule: object) => ({ version: 1, rules: [{ id: "x", match: {}, verdict: "ask", why: "y", ...rule }] });

function refusal(file: unknown): HapError {
  try {
    read(file);
  } catch (error) {
    if (error instanceof HapError) return error;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(file)}`);
}

describe("a policy file that is valid", () => {
  it("[POLICY-RULE-1] is returned as it is, with whole ids and an empty list of rules where it has none", () => {
    expect(read({ version: 1 })).toEqual({ version: 1, rules: [] });
    const file = {
      $schema: "x",
      version: 1,
      confine: "require",
      risk: {
        weights: { scope: 0.5 },
        scope: {
          modify_file: [
            { below: 10, factor: 0 },
            { below: null, factor: 1 },
          ],
          deploy: 1,
        },
        environment: { dev: 0 },
        confidence: { unknown: 0.1 },
      },
      roles: { owner: ["alex"], approver: ["human:sam"] },
      signature_from_risk: 0.7,
      refuse_agent_held_keys: true,
      rules: [
        {
          id: "a.b:c-1",
          match: {
            kind: "k",
            agent: ["a"],
            path: "**",
            command: "c*",
            environment: "e",
            project: "p",
            effect: "f",
            risk: { min: 0, max: 1 },
            tier: ["routine", "critical"],
          },
          verdict: "ask",
          why: "z",
          to: "boss",
          lease: { ttl_seconds: 1, on_timeout: "cancel" },
          priority: "low",
          record: true,
          timer_yes: false,
        },
        { id: "b", match: { tier: "notable" }, verdict: "deny", why: "z" },
      ],
    };
    expect(read(file)).toEqual({
      ...file,
      roles: { owner: ["human:alex"], approver: ["human:sam"] },
      rules: [{ ...file.rules[0], to: "human:boss" }, file.rules[1]],
    });
  });
});

describe("[POLICY-BAD-1] a policy file that is not valid", () => {
  test.each([
    ["{", "", "p.json is not JSON"],
    ["[]", "", "the file: must be an object (got a list)"],
    ["null", "", "the file: must be an object (got null)"],
    [{}, "version", "version: must be 1 (it is missing)"],
    [{ version: "1" }, "version", 'version: must be 1 (got "1")'],
    [{ version: 1, rule: [] }, "", 'the file: has the unknown key "rule"; known are $schema, version, confine, confine_hosts'],
    ['{"version":1,"__proto__":{"rules":[]}}', "", 'unknown key "__proto__"'],
    ['{"version":1,"constructor":1}', "", 'unknown key "constructor"'],
    ['{"version":1,"signature_from_risk":1e999}', "signature_from_risk", ""],
    ['{"version":1,"signature_from_risk":-0.1}', "signature_from_risk", "must be a number from 0 to 1 (got -0.1)"],
    [{ version: 1, $schema: 1 }, "$schema", "must be a text"],
    [{ version: 1, confine: "on" }, "confine", 'confine: must be auto, off or require (got "on")'],
    [{ version: 1, confine_hosts: ["*"] }, "confine_hosts.0", "must be a host, host:port or *.domain"],
    [{ version: 1, confine_hosts: ["http://x"] }, "confine_hosts.0", "must be a host, host:port or *.domain"],
    [{ version: 1, confine: null }, "confine", "must be auto, off or require (got null)"],
    [{ version: 1, rules: {} }, "rules", "must be a list (got an object)"],
    [{ version: 1, rules: null }, "rules", "must be a list (got null)"],
    [{ version: 1, rules: [7] }, "rules.0", "must be an object (got 7)"],
    [withRule({ id: "X" }), "rules.0.id", "a-z, 0-9"],
    [withRule({ id: 1 }), "rules.0.id", "a-z, 0-9"],
    [withRule({ verdict: "maybe" }), "rules.0.verdict", "must be allow, ask or deny"],
    [withRule({ verdict: ["allow"] }), "rules.0.verdict", "must be allow, ask or deny"],
    [withRule({ why: "" }), "rules.0.why", "1 to 1000"],
    [withRule({ why: "x".repeat(1001) }), "rules.0.why", "got 1001 characters"],
    [withRule({ match: null }), "rules.0.match", "must be an object"],
    [withRule({ match: { comand: "ls" } }), "rules.0.match", 'unknown key "comand"'],
    [withRule({ match: { command: "" } }), "rules.0.match.command", "must be a pattern"],
    [withRule({ match: { command: [] } }), "rules.0.match.command", "a list that is not empty"],
    [withRule({ match: { command: [["ls"]] } }), "rules.0.match.command.0", "must be a pattern"],
    [withRule({ match: { tier: "high" } }), "rules.0.match.tier", "routine, notable or critical"],
    [withRule({ match: { risk: 1 } }), "rules.0.match.risk", "must be an object"],
    [withRule({ match: { risk: { min: 2 } } }), "rules.0.match.risk.min", "from 0 to 1"],
    [withRule({ to: "agent:x" }), "rules.0.to", "human:NAME"],
    [withRule({ to: 1 }), "rules.0.to", "human:NAME"],
    [withRule({ lease: { ttl_seconds: 0 } }), "rules.0.lease.ttl_seconds", "a whole number from 1"],
    [withRule({ lease: { ttl_seconds: 1.5 } }), "rules.0.lease.ttl_seconds", "a whole number from 1"],
    [withRule({ lease: { ttl: 1 } }), "rules.0.lease", 'unknown key "ttl"'],
    [withRule({ lease: { on_timeout: "approve" } }), "rules.0.lease.on_timeout", "auto_approve, auto_reject or cancel"],
    [withRule({ priority: "urgent" }), "rules.0.priority", "critical, high, normal or low"],
    [withRule({ record: 1 }), "rules.0.record", "true or false"],
    [withRule({ harmless: true }), "rules.0", 'unknown key "harmless"'],
    [{ version: 1, risk: { environment: { dev: 9 } } }, "risk.environment.dev", "from 0 to 1"],
    [{ version: 1, risk: { scope: { modify_file: [] } } }, "risk.scope.modify_file", "not empty"],
    [{ version: 1, risk: { scope: { modify_file: [{ factor: 1 }] } } }, "risk.scope.modify_file.0.below", "it is missing"],
    [{ version: 1, risk: { confidence: {} } }, "risk.confidence.unknown", "it is missing"],
    [{ version: 1, roles: { owner: "alex" } }, "roles.owner", "must be a list"],
    [{ version: 1, roles: { owner: ["system:timeout"] } }, "roles.owner.0", "timer"],
  ])("%j is refused at %j", (file, field, words) => {
    const error = refusal(file);
    expect(error.message).toContain(words);
    if (error.code === "invalid_json") return;
    expect(error).toMatchObject({ code: "invalid_policy", fields: { field } });
    expect(error.message).toMatch(/^The policy p\.json is not valid: /);
  });

  it("names every problem, up to five", () => {
    const { fields } = refusal({ version: 2, rules: [{}, {}] });
    expect((fields.issues as { field: string }[]).map(({ field }) => field)).toEqual([
      "version",
      "rules.0.id",
      "rules.0.match",
      "rules.0.verdict",
      "rules.0.why",
    ]);
  });
});

test("[POLICY-CONFINE-1] of several files the strictest word on confining counts", () => {
  const files = (...modes: PolicyFile["confine"][]) =>
    modes.map((confine): PolicyFile => ({ version: 1, rules: [], ...(confine === undefined ? {} : { confine }) }));
  expect(strictestConfine([])).toBe("auto");
  expect(strictestConfine(files(undefined, "auto"))).toBe("auto");
  expect(strictestConfine(files("off", "auto"))).toBe("off");
  expect(strictestConfine(files("off", "require"))).toBe("require");
});
