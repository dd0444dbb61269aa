// What the model's host said that it can do: on each request since 2026-07-28, once in `initialize` before that.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** The extension by which a ticket is a task. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** `rounds`: a call may be answered with what is asked of the user, and made again (since 2026-07-28). */
export type ClientPowers = { form: boolean; url: boolean; tasks: boolean; rounds: boolean };

/** Read them from the request, else from the handshake. */
export function clientPowers(server: Server, ctx: ServerContext): ClientPowers {
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
  const stated = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation, extensions } = stated ?? server.getClientCapabilities() ?? {};
  return {
    // Before there were modes, to elicit meant a form.
    form: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    url: elicitation?.url !== undefined,
    rounds: stated !== undefined,
    tasks: stated !== undefined && extensions?.[TASKS_EXTENSION] !== undefined,
  };
}
