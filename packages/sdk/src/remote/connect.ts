// To a server, from a process: the environment says where and with what.
import { HapError } from "@hap/protocol";
import { saveFiles } from "../embedded/save-files.ts";
import { RemoteAgent } from "./agent.ts";
import { openTransport, type RemoteOptions } from "./open-transport.ts";
import { type Me, RemotePerson } from "./person.ts";
import { readToken, signInFile } from "./sign-in.ts";
import { callJson } from "./transport.ts";

/** Ask over a server. Without an agent's name it is the key's own agent that asks. */
export async function connectRemoteAgent(options: RemoteOptions, agent: string | undefined): Promise<RemoteAgent> {
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
  if (agent !== undefined) return new RemoteAgent(transport, agent, save);
  const me = await callJson<Me>(transport, { method: "GET", path: "/v1/me" });
  return new RemoteAgent(transport, me.kind === "agent" ? me.id : "agent:local", save);
}

/** Decide over a server, as whoever signed in. */
export async function connectRemotePerson(options: RemoteOptions, person: string | undefined): Promise<RemotePerson> {
  const token = options.token ?? readToken(options.url);
  if (token === null)
    throw new HapError("login_needed", `You are not signed in at ${options.url}. Run \`hap login\`.`, { url: options.url });
  const transport = openTransport(options, token);
  const me = await callJson<Me>(transport, { method: "GET", path: "/v1/me" });
  if (me.kind !== "person" || (person !== undefined && person !== me.id)) {
    transport.close();
    throw new HapError("not_addressee", `You are signed in at ${options.url} as ${me.id}, not as ${person}. Run \`hap login\`.`, {
      person: me.id,
    });
  }
  return new RemotePerson(transport, me);
}
