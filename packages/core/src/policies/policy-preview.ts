// What a proposed policy would have said to the newest tickets: before it is confirmed, and without writing anything.
import type { PolicyPreview, Ticket } from "@hap/protocol";
import { namedPaths } from "../classifier/classify.ts";
import { readPolicy } from "./policy.ts";
import { evaluate } from "./policy-verdict.ts";

/** How many tickets a preview looks at. */
export const PREVIEWED = 200;

/** Ask a policy about tickets as if it had been in force alone. */
export function previewPolicy(text: string, tickets: readonly Ticket[], home: string): PolicyPreview {
  const proposed = readPolicy(text, "as proposed");
  const policies = { confirmed: proposed, changed: null, project: null };
  return {
    hash: proposed.hash,
    tickets: tickets.map((ticket) => {
      const { details } = ticket.intent;
      const { verdict, rule, why } = evaluate(policies, {
        agent: ticket.from,
        kind: ticket.intent.kind,
        paths: namedPaths(details as Parameters<typeof namedPaths>[0]),
        command: typeof details.command === "string" ? details.command : null,
        environment: ticket.artifact.environment,
        project: ticket.project,
        home,
        risk: ticket.risk,
        tier: ticket.tier,
        effects: ticket.effects,
      });
      return {
        id: ticket.id,
        summary: ticket.intent.summary,
        from: ticket.from,
        kind: ticket.intent.kind,
        created_at: ticket.created_at,
        outcome: ticket.resolution?.outcome ?? null,
        by: ticket.resolution?.actor.kind ?? null,
        verdict,
        rule,
        why,
      };
    }),
  };
}
