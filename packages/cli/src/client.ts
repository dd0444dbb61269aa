// Who a command acts as: the person at this account, or, where HAP_AGENT_ID is set, an agent, which decides nothing (D2, D4).
import { HapError, parseAskerId, showInvisible } from "@hap/protocol";
import { type AgentClient, connectAgent, connectPerson, type PersonClient } from "@hap/sdk";
import type { Context } from "./context.ts";

/** Stands for the agent that an API key belongs to: the server knows its name. */
const KEYS_OWN = "the agent of HAP_API_KEY";

/** The agent that this process acts for, or null when it is a person's. */
export function actingAgent({ env }: Pick<Context, "env">): string | null {
  if (env.HAP_AGENT_ID) return parseAskerId(env.HAP_AGENT_ID, "HAP_AGENT_ID");
  return comesWithKey({ env }) ? KEYS_OWN : null;
}

/** True for a process that comes to a server with an API key, and so with no person. */
export function comesWithKey({ env }: Pick<Context, "env">): boolean {
  return Boolean(env.HAP_URL && env.HAP_API_KEY);
}

/** Refuse what only a person does. */
export function refuseAgent(context: Context, what: string): void {
  const agent = actingAgent(context);
  if (agent === null) return;
  throw new HapError(
    "agent_cannot_decide",
    agent === KEYS_OWN
      ? `HAP_API_KEY is set, and agents do not ${what}: a person does. Ask them to, or unset HAP_API_KEY if you are one.`
      : `HAP_AGENT_ID is ${agent}, and agents do not ${what}: a person does. Ask them to, or unset HAP_AGENT_ID if you are one.`,
    { by: agent },
  );
}

/** Work as a person. What made the store read-only, if anything did, is said first. */
export async function asPerson<T>(context: Context, work: (client: PersonClient) => Promise<T>): Promise<T> {
  const client = await connectPerson();
  try {
    const violation = await client.violation();
    if (violation !== null)
      context.err.line(
        `hap: ${client.place} is read-only, since its log does not verify: ${showInvisible(violation)} Run \`hap verify\`.`,
      );
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Work as an agent. */
export async function asAgent<T>(agent: string, work: (client: AgentClient) => Promise<T>): Promise<T> {
  const client = await connectAgent(agent === KEYS_OWN ? {} : { agent });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** The id that somebody typed, with the ellipsis that tables put before a short code forgiven. */
export async function resolveTicket(client: PersonClient, typed: string): Promise<string> {
  return (await client.resolveId(typed.replace(/^…/, ""))).id;
}
