// Where the page begins in a browser.
import { startPage } from "./start.tsx";

startPage();

if ("serviceWorker" in navigator && isSecureContext) {
  // Without it the page works as well; it only cannot be installed.
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}
