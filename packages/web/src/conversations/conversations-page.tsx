// Conversations with agents: who is there, and one of them as a timeline with a place to reply.
import { type AgentCard, type Conversation, showInvisible } from "@hap/protocol";
import { useCallback, useEffect, useState } from "preact/hooks";
import { conversationPath } from "../router.ts";
import { useEvents } from "../state/changes.ts";
import { now } from "../state/clock.ts";
import { me, signedOut, wordsOf } from "../state/session.ts";
import { ago, baseName, shortName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { rich, t } from "../words/words.ts";
import { joined, NEWEST, whatToFetch } from "./follow.ts";
import { ReplyBox } from "./reply-box.tsx";
import { Timeline } from "./timeline-view.tsx";

export function ConversationsPage({ agent }: { agent: string | null }) {
  return (
    <div class={agent === null ? "two-panes" : "two-panes chosen"}>
      <Agents chosen={agent} />
      {agent === null ? (
        <p class="empty quiet-words pane-hint">{t("conversations.conversationsPage.chooseAnAgentToRead")}</p>
      ) : (
        <OneConversation agent={agent} key={agent} />
      )}
    </div>
  );
}

function Agents({ chosen }: { chosen: string | null }) {
  const [agents, setAgents] = useState<AgentCard[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const load = useCallback(() => {
    me()
      .agents({ limit: 200 })
      .then(setAgents, (error) => !signedOut(error) && setFailure(wordsOf(error)));
  }, []);
  useEffect(load, [load]);
  useEvents(load);
  return (
    <section class="list-pane agents-pane" aria-label={t("conversations.conversationsPage.agents")}>
      <h1 class="pane-title">{t("common.conversations")}</h1>
      {failure !== null && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      {agents?.length === 0 && (
        <p class="empty quiet-words">
          {rich("conversations.conversationsPage.noAgentHasJoinedYet", { code: <code>cueme join</code> })}
        </p>
      )}
      <ul class="agents">
        {agents?.map((card) => (
          <li key={card.agent}>
            <a href={conversationPath(card.agent)} class="agent" aria-current={chosen === card.agent ? "page" : undefined}>
              <span
                class={card.left_at === null ? "presence here" : "presence"}
                title={
                  card.left_at === null
                    ? t("conversations.conversationsPage.hasNotLeft")
                    : t("conversations.conversationsPage.hasLeft")
                }
              />
              <span class="agent-words">
                <span class="agent-name" translate={false}>
                  {shortName(card.agent)}
                </span>
                <span class="row-facts">
                  <span translate={false}>{card.agent_runtime}</span>
                  {card.project_dir !== null && <span translate={false}>{showInvisible(baseName(card.project_dir))}</span>}
                  <span>{ago(now.value - Date.parse(card.seen_at))}</span>
                </span>
              </span>
              {card.waiting > 0 && (
                <span class="badge">
                  {card.waiting}
                  <span class="unseen"> {t("common.waiting")}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneConversation({ agent }: { agent: string }) {
  const [conversation, setConversation] = useState<Conversation | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const load = useCallback(() => {
    me()
      .conversation(agent, { limit: 100 })
      .then(setConversation, (error) => !signedOut(error) && setFailure(wordsOf(error)));
  }, [agent]);
  useEffect(load, [load]);
  useEvents((events) => {
    const wanted = conversation === null ? "nothing" : whatToFetch(conversation, events);
    if (wanted === "nothing") return;
    if (wanted === "all") return load();
    Promise.all([me().conversation(agent, { limit: NEWEST }), ...wanted.older.map((id) => me().getTicket(id))]).then(
      ([fresh, ...older]) => {
        const found = { ...fresh, tickets: [...older, ...fresh.tickets] };
        setConversation((known) => (known === null ? null : joined(known, found)));
      },
      (error) => !signedOut(error) && setFailure(wordsOf(error)),
    );
  });
  if (failure !== null)
    return (
      <p class="empty" role="alert">
        {failure}
      </p>
    );
  if (conversation === null) return <p class="empty quiet-words">{t("common.loading")}</p>;
  const { agent: card } = conversation;
  return (
    <section
      class="detail-pane"
      aria-label={t("conversations.conversationsPage.conversationWithAgent", { agent: shortName(agent) })}
    >
      <header class="detail-header">
        <a class="back-link" href="/conversations">
          <Icon name="back" /> {t("common.conversations")}
        </a>
        <strong>{shortName(agent)}</strong>
        <span class="detail-who">
          {card.agent_runtime}
          {card.project_dir === null ? "" : ` · ${showInvisible(card.project_dir)}`}
        </span>
      </header>
      <Timeline conversation={conversation} />
      <ReplyBox conversation={conversation} onSent={load} />
    </section>
  );
}
