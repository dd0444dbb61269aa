// Tickets as agents open them, for the page's tests.
import type { RunningServer } from "@hap/server";
import { person } from "./page.ts";

type Engine = RunningServer["engine"];

/** A small change of a file: routine. */
export function smallChange(engine: Engine, summary: string, more: Record<string, unknown> = {}) {
  return engine.createTicket({
    to: person,
    from: "agent:helper",
    kind: "modify_file",
    summary,
    project: "/src/app",
    confidence: 0.99,
    details: { file: "README.md", diff: "--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,1 @@\n-Teh app\n+The app\n" },
    ...more,
  });
}

/** A command that reaches nothing. */
export function command(engine: Engine, words: string, more: Record<string, unknown> = {}) {
  return engine.createTicket({
    to: person,
    from: "agent:helper",
    kind: "run_command",
    summary: `Run ${words}`,
    project: "/src/app",
    details: { command: words },
    ...more,
  });
}

/** A question. */
export function question(engine: Engine, ask: Record<string, unknown>, more: Record<string, unknown> = {}) {
  return engine.createTicket({
    to: person,
    from: "agent:asker",
    kind: "question",
    summary: "A question",
    details: {},
    ask,
    ...more,
  });
}
