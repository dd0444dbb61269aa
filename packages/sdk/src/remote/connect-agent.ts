// An agent's connection to a server, from a process: the environment says where and with what.
import { HapError } from "@hap/protocol";
import { me } from "@hap/protocol/operations/agent";
import type { AgentConnection } from "../agent-client.ts";
import { saveFiles } from "../embedded/save-files.ts";
import { remoteAgent } from "./agent.ts";
import { openTransport, type RemoteOptions } from "./open-transport.ts";
import { sendTo } from "./send.ts";
import { readToken, signInFile } from "./token-file.ts";

/** Ask over a server. Without an agent's name it is the key's own agent that asks. */
export async function connectRemoteAgent(options: RemoteOptions, agent: string | undefined): Promise<AgentConnection> {
  const key = options.apiKey ?? (process.env.HAP_API_KEY || null);
  const token = key ?? options.token ?? readToken(options.url);
  if (token === null)
    throw new HapError(
      "key_invalid",
      `An agent needs an API key for ${options.url}: set HAP_API_KEY. An owner makes one: \`hap key create --agent agent:NAME\`.`,
      { field: "HAP_API_KEY" },
    );
  const headers: Record<string, string> = key !== null && agent !== undefined ? { "hap-agent": agent } : {};
  const transport = openTransport(options, token, headers);
  const save = (messageId: string, files: { name: string; data: Uint8Array }[]) => saveFiles(signInFile(), messageId, files);
  if (agent !== undefined) return remoteAgent(transport, agent, save);
  const { kind, id } = await sendTo(transport, { me })("me", {});
  return remoteAgent(transport, kind === "agent" ? id : "agent:local", save);
}
