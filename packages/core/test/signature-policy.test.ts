// A policy that wants signatures (D3): from a risk on, for a yes, once it is confirmed.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { trustPolicy } from "./confirm-policy.ts";
import { refusal } from "./refusal.ts";
import { decide } from "./signing/decisions.ts";
import { enrolSsh } from "./signing/enrol.ts";
import { TokenKey } from "./signing/ssh-keys.ts";
import { testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let engine: HapEngine;
const world = testWorld();

beforeEach(() => {
  store = testStore();
  engine = store.open({ world });
});
afterEach(() => {
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  store.remove();
});

const ticket = (more = {}) => engine.createTicket({ to: "human:alex", kind: "deploy", environment: "staging", ...more });

function demandFrom(risk: number, confirm = true): void {
  mkdirSync(join(store.folder, ".hap"), { recursive: true });
  writeFileSync(join(store.folder, ".hap", "policy.json"), JSON.stringify({ version: 1, signature_from_risk: risk }));
  // A look at a file counts for a moment; another process looks for itself.
  engine.dispose();
  engine = store.open({ world });
  if (confirm) trustPolicy(engine, { by: "human:alex" });
}

describe("signature_from_risk", () => {
  it("[POLICY-SIGN-1] wants a signed yes from that risk on, and says so", () => {
    const { id, risk } = ticket();
    demandFrom(risk);
    expect(engine.neededFor(id, "alex")).toEqual({ signature: "key", confirmed: false });
    const error = refusal(() => engine.approve(id, "yes", { by: "human:alex" }));
    expect(error).toMatchObject({ code: "signature_needed", fields: { least: "key" } });
    expect(error.message).toContain("--ssh-key FILE");
    const token = new TokenKey("EdDSA");
    enrolSsh(engine, token.line);
    expect(decide(engine, id, (statement) => token.sign(statement)).resolution?.assurance).toBe("present");
  });

  it("[POLICY-SIGN-1] leaves what is below it, and every no, alone", () => {
    const [low, no, changes] = [ticket(), ticket(), ticket()];
    demandFrom(low.risk + 0.01);
    expect(engine.approve(low.id, "", { by: "human:alex" }).state).toBe("APPROVED");
    demandFrom(0);
    expect(engine.reject(no.id, "", { by: "human:alex" }).state).toBe("REJECTED");
    expect(engine.requestChanges(changes.id, "", { by: "human:alex" }).state).toBe("CHANGES_REQUESTED");
  });

  it("[POLICY-SIGN-1] holds for answers, and a relayed answer does not do", () => {
    const { id } = ticket({ ask: { type: "confirm", prompt: "Go on?" }, from: "agent:ci" });
    demandFrom(0);
    expect(refusal(() => engine.relayAnswer(id, true, "agent:ci")).code).toBe("assurance_too_low");
    expect(refusal(() => engine.answer(id, true, { by: "human:alex" })).code).toBe("signature_needed");
  });

  it("[POLICY-SIGN-1] counts once it is confirmed, and is refused when it is no risk", () => {
    const { id } = ticket();
    demandFrom(0, false);
    expect(engine.neededFor(id, "alex").signature).toBeNull();
    demandFrom(2, false);
    expect(refusal(() => trustPolicy(engine, { by: "human:alex" })).code).toBe("invalid_policy");
    demandFrom(0);
    expect(engine.neededFor(id, "alex").signature).toBe("key");
  });
});
