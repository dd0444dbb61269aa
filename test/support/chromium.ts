// A real browser for tests of pages: Debian's Chromium, installed when it is missing and this may be done, driven without a window.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { needProgram } from "./system-package.ts";

/** Start Chromium; whoever starts it closes it. `HAP_TEST_CHROMIUM` names another one. */
export function startChromium(): Promise<Browser> {
  const given = process.env.HAP_TEST_CHROMIUM;
  if (given !== undefined && !existsSync(given)) throw new Error(`HAP_TEST_CHROMIUM names ${given}, which is not there.`);
  if (given === undefined) needProgram("chromium");
  return chromium.launch({
    executablePath: given ?? "/usr/bin/chromium",
    args: [
      // As root in a container it has no sandbox of its own, and nothing to reach on the network.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
