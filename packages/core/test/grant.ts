// Making a grant in tests as a person without a key does: with the phrase that the engine issues for it.
import type { GrantInput, GrantView } from "@hap/protocol";
import type { HapEngine } from "../src/index.ts";

export const CALL = `sha256:${"c".repeat(64)}`;
/** Two hours, for one agent and one pattern. */
export const INSTALLS: GrantInput = { agent: "agent:ci", commands: ["npm install *"], project: "/srv/app", seconds: 7200 };

/** Begin, type the phrase, create. */
export function makeGrant(engine: HapEngine, input: GrantInput = INSTALLS, by = "human:alex"): GrantView {
  const { statement, needs } = engine.beginGrant(input, by);
  const { nonce } = statement;
  return engine.createGrant({ nonce, by, ...(needs === "phrase" ? { phrase: engine.issueGrantPhrase(nonce, by).phrase } : {}) });
}

/** A command of agent:ci in /srv/app. */
export function command(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    from: "agent:ci",
    to: "human:alex",
    kind: "run_command",
    summary: "Run a command",
    project: "/srv/app",
    details: { command: text, cwd: "/srv/app" },
    ...more,
  };
}
