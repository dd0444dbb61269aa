// `hap run ID`: the command that an approved ticket holds, whether `hap exec` opened it or a hook.
import { callHash, HapError, type Json } from "@hap/protocol";
import { type AgentClient, readOutcome } from "@hap/sdk/agent";
import { bindingHash, bindingSchema } from "./binding.ts";
import { type Done, isYes } from "./gate.ts";
import { sha256 } from "./hash-file.ts";
import { runBound, runShell } from "./run-bound.ts";

export async function runTicket(
  client: AgentClient,
  id: string,
  options: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<Done> {
  const ticket = await client.getTicket(id);
  const { intent, project } = ticket;
  if (intent.kind !== "run_command" || ticket.ask.type !== "approval")
    throw new HapError("invalid_input", `${id} is a ${intent.kind}, not a command. \`hap apply\` is for diffs.`, {
      ticket_id: id,
    });
  const outcome = readOutcome(ticket);
  const bound = bindingSchema.safeParse(intent.details);
  const identity = bound.success
    ? bindingHash(client.agent, project, bound.data)
    : callHash({ agent: client.agent, project, tool: "run", input: intent.details as Json }, sha256);
  if (!(await isYes(client, outcome, identity))) {
    if (outcome.status !== "open") await client.heard(id);
    return { ran: false, outcome };
  }
  return bound.success ? runBound(client, outcome, identity, options.env) : runShell(client, outcome, identity, options);
}
