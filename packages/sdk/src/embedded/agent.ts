// The agent's client on an engine of this process.
import type { HapEngine } from "@hap/core";
import { AgentConnection } from "../agent-client.ts";
import { agentHandlers } from "./handlers/agent.ts";
import { runOn } from "./run.ts";
import { saveFiles } from "./save-files.ts";

/** On a server: the agent whose API key this is, and a signal that aborts when the key is revoked. */
export type ByKey = { owner: string; access: AbortSignal };

/** Ask on an engine. */
export function embeddedAgent(engine: HapEngine, agent: string, byKey?: ByKey): AgentConnection {
  const run = runOn(agentHandlers, { kind: "agent", engine, agent, owner: byKey?.owner ?? null, readsAll: false });
  const access = byKey?.access;
  return new AgentConnection(agent, {
    send: async (name, input) => {
      access?.throwIfAborted();
      return run(name, input);
    },
    untilEnd: (id, { timeoutMs, signal }) => {
      const signals = [signal, access].filter((one) => one !== undefined);
      const either = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
      return engine.waitFor(id, { timeout: timeoutMs, signal: either, asker: agent });
    },
    saveFiles: (messageId, files) => saveFiles(engine.path, messageId, files),
    close: () => engine.dispose(),
  });
}
