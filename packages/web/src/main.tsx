// Where the page begins.
import { render } from "preact";
import { App } from "./app.tsx";
import { watchNotice } from "./notice.ts";
import { watchAddress } from "./router.ts";
import { watchTheme } from "./state/preferences.ts";
import { findSession } from "./state/session.ts";
import { markLanguage } from "./words/language.ts";

markLanguage();
watchTheme();
watchAddress();
watchNotice();
void findSession();
render(<App />, document.getElementById("app") as HTMLElement);

if ("serviceWorker" in navigator && isSecureContext) {
  // Without it the page works as well; it only cannot be installed.
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}
