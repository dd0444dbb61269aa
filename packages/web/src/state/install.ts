// Installing the page as an app: browsers offer it by an event, which is kept until the person asks for it.
import { signal } from "@preact/signals";

/** Chromium's event; other browsers install through their own menu. */
type InstallEvent = Event & { prompt: () => Promise<unknown> };

let offered: InstallEvent | null = null;
/** True while the browser would install the page. */
export const installable = signal(false);

/** Listen from the start: the event comes once. */
export function watchInstall(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offered = event as InstallEvent;
    installable.value = true;
  });
  addEventListener("appinstalled", () => {
    offered = null;
    installable.value = false;
  });
}

/** Ask the browser to install the page. */
export async function install(): Promise<void> {
  const event = offered;
  offered = null;
  installable.value = false;
  await event?.prompt();
}
