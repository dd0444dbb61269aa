// The agents that joined, by their groups: who is there, who listens, what waits.
import { type AgentCard, showInvisible } from "@hap/protocol";
import { conversationPath } from "../router.ts";
import { now } from "../state/clock.ts";
import { ago, baseName, shortName } from "../ui/format.ts";
import { rich, t } from "../words/words.ts";
import { byGroup } from "./reply.ts";

type Props = { agents: readonly AgentCard[] | null; failure: string | null; chosen: string | null };

export function AgentsPane({ agents, failure, chosen }: Props) {
  const groups = byGroup(agents ?? []);
  return (
    <section class="list-pane agents-pane" aria-label={t("conversations.agents.title")}>
      <h1 class="pane-title">{t("common.conversations")}</h1>
      {failure !== null && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      {agents?.length === 0 && (
        <p class="empty quiet-words">{rich("conversations.agents.none", { code: <code>cueme join</code> })}</p>
      )}
      <div class="agents">
        {groups.map(({ group, agents: members }) => (
          <section key={group ?? ""} aria-label={group === null ? t("conversations.agents.noGroup") : showInvisible(group)}>
            {groups.length > 1 || group !== null ? (
              <h2 class="agent-group">{group === null ? t("conversations.agents.noGroup") : showInvisible(group)}</h2>
            ) : null}
            <ul>
              {members.map((card) => (
                <li key={card.agent}>
                  <AgentLink card={card} chosen={chosen === card.agent} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

/** What an agent is called: the person's label, else its own name. */
export function agentName({ name, agent }: Pick<AgentCard, "name" | "agent">): string {
  return name === null ? shortName(agent) : showInvisible(name);
}

function AgentLink({ card, chosen }: { card: AgentCard; chosen: boolean }) {
  const here = card.left_at === null;
  return (
    <a href={conversationPath(card.agent)} class="agent" aria-current={chosen ? "page" : undefined}>
      <span
        class={here ? "presence here" : "presence"}
        title={here ? t("conversations.agents.present") : t("conversations.agents.left")}
      />
      <span class="agent-words">
        <span class="agent-name" translate={false}>
          {agentName(card)}
        </span>
        <span class="row-facts">
          {card.name !== null && <span translate={false}>{shortName(card.agent)}</span>}
          <span translate={false}>{card.agent_runtime}</span>
          {card.project_dir !== null && <span translate={false}>{showInvisible(baseName(card.project_dir))}</span>}
          <span>{ago(now.value - Date.parse(card.seen_at))}</span>
        </span>
        {(card.listening !== null || card.queued > 0) && (
          <span class="row-facts">
            {card.listening !== null && <span class="listening">{t("conversations.timeline.listening")}</span>}
            {card.queued > 0 && <span>{t("conversations.agents.queued", { count: card.queued })}</span>}
          </span>
        )}
      </span>
      {card.waiting > 0 && (
        <span class="badge">
          {card.waiting}
          <span class="unseen"> {t("common.waiting")}</span>
        </span>
      )}
    </a>
  );
}
