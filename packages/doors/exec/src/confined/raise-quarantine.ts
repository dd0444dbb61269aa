// Tells a person that a confined command made files which arm a gate. They are out of the project already; the ticket says where.

import type { Quarantined } from "@hap/sandbox";
import { type AgentClient, connectAgent } from "@hap/sdk/agent";
import type { SessionFile } from "./session-file.ts";

export type Raised = { quarantined: readonly Quarantined[]; project: string; command: string | null; agent: string };

/** The words for the terminal and the model. */
export function quarantineWords(quarantined: readonly Quarantined[]): string {
  const paths = quarantined.map(({ path, kept }) => `${path} (now ${kept})`).join(", ");
  return `HAP moved what this command made to quarantine, because it could run code outside the sandbox or change who is asked: ${paths}. A person was told. To make such a file, ask for it with the Write tool or for the command outside.`;
}

/** Open the ticket. */
export async function raiseQuarantine(session: SessionFile, raised: Raised): Promise<string> {
  const options = { agent: session.agent ?? raised.agent, ...(session.store === null ? {} : { dbPath: session.store }) };
  const client = await connectAgent(options);
  try {
    return await open(client, session, raised);
  } finally {
    await client.close();
  }
}

async function open(client: AgentClient, { to }: SessionFile, { quarantined, project, command }: Raised): Promise<string> {
  const count = quarantined.length === 1 ? "a file" : `${quarantined.length} files`;
  const { id } = await client.createTicket({
    kind: "quarantine",
    summary: `A confined command made ${count} that could run code outside the sandbox`,
    details: {
      command: command ?? "(left running by an earlier command)",
      moved: quarantined.map(({ path, kept }) => ({ path, kept })),
      restore: quarantined
        .map(({ path, kept }) => `mv -- '${kept.replaceAll("'", "'\\''")}' '${path.replaceAll("'", "'\\''")}'`)
        .join("\n"),
      note: "The files were moved out of the project already. Approve to say that you saw this; run the lines under restore to put them back.",
    },
    priority: "critical",
    project,
    ...(to === null ? {} : { to }),
  });
  return id;
}
