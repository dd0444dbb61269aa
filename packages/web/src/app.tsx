// From an address to what is shown there.
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { InboxList } from "./inbox/inbox-list.tsx";
import { hear, reload } from "./inbox/tickets.ts";
import { at, path, readPlace } from "./router.ts";
import { Shell } from "./shell.tsx";
import { SignIn, Unreachable } from "./sign-in.tsx";
import { loadAgentNames } from "./state/agents.ts";
import { publish } from "./state/changes.ts";
import { listen, logEnd, lost } from "./state/live.ts";
import { session, signedOut } from "./state/session.ts";
import { useLazy } from "./ui/use-lazy.ts";
import { t } from "./words/words.ts";

const conversations = () => import("./conversations/conversations-page.tsx").then((part) => part.ConversationsPage);
const insights = () => import("./insights/insights-page.tsx").then((part) => part.InsightsPage);
const ticketPage = () => import("./ticket/ticket-page.tsx").then((part) => part.TicketPage);
const settings = () => import("./settings/settings-page.tsx").then((part) => part.SettingsPage);

export function App() {
  switch (session.value.status) {
    case "starting":
      return <div class="starting" role="status" aria-label={t("app.loading")} />;
    case "out":
      return <SignIn />;
    case "unreachable":
      return <Unreachable />;
    case "in":
      return <SignedIn key={session.value.person.person} />;
  }
}

/** Fetch the ticket's page at the first move of pointer or key: it is there when a ticket is opened, and not before the first paint. */
function fetchTicketPageSoon(signal: AbortSignal): void {
  const fetchIt = () => void ticketPage();
  for (const type of ["pointermove", "touchstart", "keydown"])
    addEventListener(type, fetchIt, { once: true, signal, passive: true });
}

function SignedIn() {
  useEffect(() => {
    const stop = new AbortController();
    const begin = async () => {
      // The place in the log first: whatever happens while the list is fetched is then heard afterwards.
      const after = await logEnd();
      await Promise.all([reload(), loadAgentNames()]);
      await listen(
        after,
        (events) => {
          void hear(events);
          publish(events);
        },
        () => void reload(),
        stop.signal,
      );
    };
    const keepTrying = async () => {
      while (!stop.signal.aborted) {
        try {
          return await begin();
        } catch (error) {
          if (signedOut(error)) return;
          lost();
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
      }
    };
    void keepTrying();
    fetchTicketPageSoon(stop.signal);
    return () => stop.abort();
  }, []);
  return (
    <Shell>
      <Here />
    </Shell>
  );
}

function Here() {
  const place = readPlace(path.value);
  switch (place.name) {
    case "inbox":
      return <InboxList openId={null} />;
    case "ticket":
      return (
        <>
          <InboxList openId={place.id} />
          <Later load={ticketPage}>{(Page) => <Page id={place.id} />}</Later>
        </>
      );
    case "conversations":
      return <Later load={conversations}>{(Page) => <Page agent={place.agent} />}</Later>;
    case "insights":
      return <Later load={insights}>{(Page) => <Page />}</Later>;
    case "settings":
      return <Later load={settings}>{(Page) => <Page />}</Later>;
    case "nowhere":
      return (
        <div class="empty">
          <h1 class="empty-title">{t("app.notFound")}</h1>
          <a href={at("/")}>{t("app.toInbox")}</a>
        </div>
      );
  }
}

/** A place whose script is fetched when somebody goes there. */
function Later<P>({
  load,
  children,
}: {
  load: () => Promise<FunctionComponent<P>>;
  children: (Page: FunctionComponent<P>) => ComponentChildren;
}) {
  const loaded = useLazy(load);
  if (loaded.status === "ready") return <>{children(loaded.part)}</>;
  if (loaded.status === "loading") return <p class="empty quiet-words">{t("common.loading")}</p>;
  return (
    <p class="empty" role="alert">
      {t("app.partFailed")}
    </p>
  );
}
