// The sample agent: it asks one harmless thing, waits as any agent does, and notes what it read.

import type { sampleOperations } from "@hap/protocol/operations/person";
import { readOutcome } from "../../outcome.ts";
import { embeddedAgent } from "../agent.ts";
import type { PersonCaller } from "../caller.ts";
import type { Handlers } from "./handlers.ts";

const AGENT = "agent:sample";

const DIFF = `--- a/src/greeting.ts
+++ b/src/greeting.ts
@@ -1,3 +1,4 @@
 export function greet(name: string): string {
-  return "Hello " + name;
+  const who = name.trim() === "" ? "you" : name.trim();
+  return \`Hello, \${who}!\`;
 }
`;

export const sampleHandlers: Handlers<typeof sampleOperations, PersonCaller> = {
  openSample: async ({ engine, person }) => {
    const [open] = engine.listPending({ from: AGENT, to: person });
    if (open !== undefined) return open;
    const agent = embeddedAgent(engine, AGENT);
    const ticket = await agent.createTicket({
      to: person,
      kind: "modify_file",
      summary: "Greet people who gave no name",
      file: "src/greeting.ts",
      diff: DIFF,
    });
    engine.waitFor(ticket.id, { asker: AGENT }).then(
      async (ended) => {
        await agent.note(ticket.id, `The sample agent woke up. It read: ${readOutcome(ended).words}`);
        await agent.heard(ticket.id);
      },
      // The process ended, and its sample agent with it.
      () => {},
    );
    return ticket;
  },
};
