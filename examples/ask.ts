// An agent asks for approval and waits. The ticket is in the store: kill this program, start it again, and it finds the same one.
import { connectAgent } from "@hap/sdk/agent";

const agent = await connectAgent({ agent: "agent:deployer" });
const ticket = await agent.createTicket({
  id: "tk_upgradedatabasedriver1", // an id of your own makes asking again safe
  kind: "run_command",
  summary: "Upgrade the database driver",
  details: { command: "npm install pg@8" },
  lease: { ttl_seconds: 600, on_timeout: "auto_reject" },
});
console.log(`waiting for ${ticket.to}: ${ticket.id}`);

const outcome = await agent.wait(ticket.id);
console.log(outcome.status, outcome.comment ?? "");
await agent.close();
process.exitCode = outcome.status === "approved" ? 0 : 1;
