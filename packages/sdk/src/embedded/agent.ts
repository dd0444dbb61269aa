// The agent's client on an engine of this process.
import type { HapEngine } from "@hap/core";
import { AgentConnection } from "../agent-client.ts";
import { agentHandlers } from "./handlers/agent.ts";
import { runOn } from "./run.ts";
import { saveFiles } from "./save-files.ts";

/** Ask on an engine. `owner` is the agent whose API key the caller came with; null where everybody shares the store. */
export function embeddedAgent(engine: HapEngine, agent: string, owner: string | null = null): AgentConnection {
  return new AgentConnection(agent, {
    send: runOn(agentHandlers, { kind: "agent", engine, agent, owner, readsAll: false }),
    untilEnd: (id, { timeoutMs, signal }) => engine.waitFor(id, { timeout: timeoutMs, signal, asker: agent }),
    saveFiles: (messageId, files) => saveFiles(engine.path, messageId, files),
    close: () => engine.dispose(),
  });
}
