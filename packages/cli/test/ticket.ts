// A ticket for tests of what is pure: the draft's example under a name of its own.
import type { Ticket } from "@hap/protocol";
import { exampleTicket } from "../../protocol/test/example-ticket.ts";

/** An open ticket for human:alex; its name is its summary, and makes its id. */
export function makeTicket(name: string, more: Partial<Ticket> = {}): Ticket {
  return {
    ...exampleTicket,
    id: `tk_${Buffer.from(name).toString("hex").padEnd(26, "0").slice(0, 60)}`,
    from: "agent:ci",
    intent: { kind: "modify_file", summary: name, details: { file: "src/a.ts" }, confidence: null },
    artifact: { ...exampleTicket.artifact, type: "intent", body: null },
    project: "/srv/shop",
    ...more,
  };
}
