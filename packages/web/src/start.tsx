// Starts the page, in a browser or inside the desktop app, which gets back what it steers the page by.
import { render } from "preact";
import { App } from "./app.tsx";
import { fromSearch } from "./inbox/list-address.ts";
import { choose, reload } from "./inbox/tickets.ts";
import { watchNotice } from "./notice.ts";
import { go, watchAddress } from "./router.ts";
import { type Host, setHost } from "./state/host.ts";
import { watchInstall } from "./state/install.ts";
import { watchTheme } from "./state/preferences.ts";
import { findSession, session, signInByLink } from "./state/session.ts";
import { markLanguage } from "./words/language.ts";

export type { AppSettings, ChainState, Host } from "./state/host.ts";

/** What a host may do with the page. */
export type RunningPage = {
  /** Show an address of the page. */
  go: (path: string) => void;
  /** Everything may have changed: fetch who one is, and the list. */
  refresh: () => Promise<void>;
};

/** Start it; without a host it talks to the server that it came from. */
export function startPage(host?: Host): RunningPage {
  if (host !== undefined) setHost(host);
  markLanguage();
  watchTheme();
  watchAddress((search) => {
    if (session.value.status === "in") choose(fromSearch(search));
  });
  watchNotice();
  if (host === undefined) watchInstall();
  void (host === undefined ? signInByLink() : Promise.resolve()).then(findSession);
  // A link that is opened in a tab which shows the page already.
  if (host === undefined) addEventListener("hashchange", () => void signInByLink().then(findSession));
  render(<App />, document.getElementById("app") as HTMLElement);
  const refresh = async () => {
    await findSession();
    if (session.value.status === "in") await reload(true);
  };
  return { go, refresh };
}
