// A tool of your own agent behind the gate: rules answer first, a person answers the rest, and a yes opens exactly this call, once.
import { connectAgent } from "@hap/sdk/agent";

const agent = await connectAgent({ agent: "agent:accountant" });

async function sendInvoice(customer: string, amount: number): Promise<string> {
  const call = {
    tool: "send_invoice",
    input: { customer, amount },
    project: null,
    ticket: { kind: "send_invoice", summary: `Send an invoice over ${amount} to ${customer}`, details: { customer, amount } },
  };
  const gated = await agent.gate(call);
  if (!gated.open) return `not sent: ${gated.words}`; // words for the model, the person's own verbatim
  return `sent to ${customer}: ${amount}`;
}

console.log(await sendInvoice("Example Ltd", 1200));
await agent.close();
