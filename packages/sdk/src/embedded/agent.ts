// The agent's client on an engine of this process.
import type { HapEngine } from "@hap/core";
import { AgentConnection } from "../agent-client.ts";
import { agentHandlers } from "./handlers/agent.ts";
import { runOn } from "./run.ts";
import { saveFiles } from "./save-files.ts";

/** Ask on an engine. */
export function embeddedAgent(engine: HapEngine, agent: string): AgentConnection {
  return new AgentConnection(agent, {
    send: runOn(agentHandlers, { kind: "agent", engine, agent, owner: null, readsAll: false }),
    untilEnd: (id, { timeoutMs, signal }) => engine.waitFor(id, { timeout: timeoutMs, signal, asker: agent }),
    saveFiles: (messageId, files) => saveFiles(engine.path, messageId, files),
    close: () => engine.dispose(),
  });
}
