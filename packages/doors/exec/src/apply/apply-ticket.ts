// `hap apply ID`: the approved diff, onto exactly the files that it was made for. Stale is refused, said on the ticket, and
// the yes is used (D17) before the first byte is written.
import { realpathSync } from "node:fs";
import { callHash, HapError, type Json } from "@hap/protocol";
import { type AgentClient, type Outcome, readOutcome } from "@hap/sdk/agent";
import { approvedDetails, editedKeys, isYes, refuseStale } from "../gate.ts";
import { sha256 } from "../hash-file.ts";
import { checkWithGit } from "./check-with-git.ts";
import { planChanges } from "./plan-changes.ts";
import { writeChanges } from "./write-changes.ts";

export type Applied = { applied: string[]; outcome: Outcome } | { applied: null; outcome: Outcome };

/** Apply it in `root`, the ticket's own project unless the caller names another folder. */
export async function applyTicket(
  client: AgentClient,
  id: string,
  { root, cwd, path }: { root: string | null; cwd: string; path: string },
): Promise<Applied> {
  const ticket = await client.getTicket(id);
  if (ticket.artifact.body !== "diff")
    throw new HapError("invalid_input", `${id} holds no diff. \`hap run\` is for commands.`, { ticket_id: id });
  const outcome = readOutcome(ticket);
  const folder = realpathSync(root ?? ticket.project ?? cwd);
  const identity = callHash(
    {
      agent: client.agent,
      project: ticket.project,
      tool: "apply",
      input: { folder, bytes_hash: ticket.artifact.bytes_hash } as Json,
    },
    sha256,
  );
  if (!(await isYes(client, outcome, identity))) {
    if (outcome.status !== "open") await client.heard(id);
    return { applied: null, outcome };
  }
  if (ticket.consumed !== null) await client.consume(id, identity);
  const { diff } = await approvedDetails(client, outcome);
  const stray = editedKeys(outcome).filter((key) => key !== "diff");
  if (stray.length > 0)
    return refuseStale(client, id, [`The person changed ${stray.join(", ")}; only the diff can be changed and applied.`]);
  const plan = planChanges(folder, String(diff));
  if ("stale" in plan) return refuseStale(client, id, plan.stale);
  checkWithGit(String(diff), plan.changes, path);
  await client.consume(id, identity);
  writeChanges(folder, plan.changes, id);
  await client.heard(id);
  return { applied: plan.changes.map((change) => change.path), outcome };
}
