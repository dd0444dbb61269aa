// What tests of quorums share: a policy that wants several people, and a ticket under it.
import { join } from "node:path";
import type { HapEngine } from "../src/index.ts";
import { savePolicy } from "./confirm-policy.ts";

export const [ALEX, SAM, KIM, LEE] = ["human:alex", "human:sam", "human:kim", "human:lee"] as const;

/** A policy with one rule for deploys. */
export function policyText(quorum: Record<string, unknown>, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    version: 1,
    roles: { owner: [ALEX] },
    groups: { "platform-team": [SAM, KIM, LEE] },
    rules: [{ id: "two-people", match: { kind: "deploy" }, verdict: "ask", why: "Deploys need two people.", quorum }],
    ...more,
  });
}

/** Put a policy in force in place of the one that is. */
export function putPolicy(engine: HapEngine, text: string): void {
  let replaces: string | null = null;
  try {
    replaces = engine.userPolicyStatus().hash;
  } catch {
    // There is none yet.
  }
  savePolicy(engine, { by: ALEX, text, replaces });
}

/** Ask for a deploy. */
export function deploy(engine: HapEngine, more: Record<string, unknown> = {}) {
  return engine.createTicket({
    from: "agent:ci",
    kind: "deploy",
    summary: "Deploy 1.4",
    details: { service: "api" },
    project: join("/srv", "app"),
    ...more,
  });
}

export const TWO = { need: 2, of: ["group:platform-team"] };
