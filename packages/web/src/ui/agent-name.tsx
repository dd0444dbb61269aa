// An agent by its name and colour; its id on hover, so that two of one name can be told apart.
import { showInvisible } from "@hap/protocol";
import { agentColour, agentName } from "../state/agents.ts";

export function AgentName({ id }: { id: string }) {
  return (
    <span class="agent-name" translate={false} title={id}>
      <span class={`agent-dot agent-colour-${agentColour(id)}`} aria-hidden="true" />
      {showInvisible(agentName(id))}
    </span>
  );
}
