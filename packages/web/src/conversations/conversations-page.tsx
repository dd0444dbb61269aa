// Conversations with agents: who is there, and one of them as a timeline with a place to reply.
import { type AgentCard, type Conversation, showInvisible } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useState } from "preact/hooks";
import { at } from "../router.ts";
import { useEvents } from "../state/changes.ts";
import { me, signedOut, wordsOf } from "../state/session.ts";
import { shortName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";
import { LabelDialog } from "./agent-label.tsx";
import { AgentsPane, agentName } from "./agents-pane.tsx";
import { joined, NEWEST, whatToFetch } from "./follow.ts";
import { QueueList } from "./queue-list.tsx";
import { openQuestions } from "./reply.ts";
import { ReplyBox } from "./reply-box.tsx";
import { Timeline } from "./timeline-view.tsx";
import { useReply } from "./use-reply.ts";

/** Who listens changes without an event: it is looked at this often while the page is in view. */
const LOOK_MS = 10_000;

export function ConversationsPage({ agent }: { agent: string | null }) {
  const { agents, failure, load } = useAgents();
  const groups = [...new Set(agents?.map(({ group }) => group).filter((group) => group !== null))].sort();
  return (
    <div class={agent === null ? "two-panes" : "two-panes chosen"}>
      <AgentsPane agents={agents} failure={failure} chosen={agent} />
      {agent === null ? (
        <p class="empty quiet-words pane-hint">{t("conversations.chooseAgent")}</p>
      ) : (
        <OneConversation agent={agent} groups={groups} onLabelled={load} key={agent} />
      )}
    </div>
  );
}

function useAgents() {
  const [agents, setAgents] = useState<AgentCard[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const load = useCallback(() => {
    me()
      .agents({ limit: 200 })
      .then(setAgents, (error) => !signedOut(error) && setFailure(wordsOf(error)));
  }, []);
  useEffect(load, [load]);
  useEvents(load);
  useWhileSeen(load);
  return { agents, failure, load };
}

/** Call a function every few seconds while the page is in view. */
function useWhileSeen(look: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [look]);
}

type Props = { agent: string; groups: readonly string[]; onLabelled: () => void };

function OneConversation({ agent, groups, onLabelled }: Props) {
  const [conversation, setConversation] = useState<Conversation | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const load = useCallback(() => {
    me()
      .conversation(agent, { limit: 100 })
      .then(setConversation, (error) => !signedOut(error) && setFailure(wordsOf(error)));
  }, [agent]);
  useEffect(load, [load]);
  const look = useCallback(() => {
    me()
      .conversation(agent, { limit: NEWEST })
      .then(
        (fresh) => setConversation((known) => (known === null ? null : joined(known, fresh))),
        () => {},
      );
  }, [agent]);
  useWhileSeen(look);
  const reply = useReply(conversation, load);
  const labelling = useSignal(false);
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
    <section class="detail-pane" aria-label={t("conversations.with", { agent: shortName(agent) })}>
      <header class="detail-header">
        <a class="back-link" href={at("/conversations")}>
          <Icon name="back" /> {t("common.conversations")}
        </a>
        <h1 class="talk-name" translate={false}>
          {agentName(card)}
        </h1>
        <span class="detail-who">
          {card.name === null ? "" : `${shortName(agent)} · `}
          {card.agent_runtime}
          {card.project_dir === null ? "" : ` · ${showInvisible(card.project_dir)}`}
        </span>
        <button
          type="button"
          class="icon-button quiet"
          title={t("conversations.label.open")}
          onClick={() => {
            labelling.value = true;
          }}
        >
          <Icon name="pencil" />
          <span class="unseen">{t("conversations.label.open")}</span>
        </button>
      </header>
      <Timeline conversation={conversation} reply={reply} />
      <QueueList conversation={conversation} onChanged={load} />
      <ReplyBox card={card} reply={reply} waits={openQuestions(conversation, me().person).length > 0} />
      {labelling.value && (
        <LabelDialog
          card={card}
          groups={groups}
          onClose={() => {
            labelling.value = false;
            load();
            onLabelled();
          }}
        />
      )}
    </section>
  );
}
