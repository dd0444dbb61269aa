// A one-time sign-in link: its secret is in the fragment, which no request and no log carries. It is shown on the terminal device
// alone, and handed to the browser through a private file, since arguments can be read by every user of the machine.
import { rmSync, writeFileSync } from "node:fs";
import { CODE, isHapError } from "@hap/protocol";
import { TerminalDevice } from "../terminal/device.ts";
import { browserProgram, openBrowser } from "../terminal/open-browser.ts";

/** The address that signs a browser in. */
function linkTo(url: string, secret: string): string {
  return `${url.replace(/\/$/, "")}/#link=${secret}`;
}

export type ShowLink = {
  /** Where the page is. */
  url: string;
  person: string;
  /** The store, beside which the browser's file is put. */
  store: string;
  /** Makes the secret; called only where it can be shown. */
  issue: () => Promise<string> | string;
  /** Open a browser, where there is one. */
  open: boolean;
  env: NodeJS.ProcessEnv;
};

/** Open the link, or show it with its QR code. False where there is no terminal to show it on: then none was made. */
export async function showLink({ url, person, store, issue, open, env }: ShowLink): Promise<boolean> {
  const device = terminal();
  if (device === null) return false;
  try {
    const link = linkTo(url, await issue());
    const minutes = CODE.ttlMs / 60_000;
    if (open && browserProgram(env) !== null) {
      openThroughFile(link, `${store}.sign-in.html`, env);
      device.write(
        `Opening your browser, signed in as ${person}. If it stays closed, open this link (once, ${minutes} minutes):\n\n`,
      );
      device.write(`  ${link}\n\n`);
    } else {
      const { renderUnicodeCompact } = await import("uqr");
      const code = renderUnicodeCompact(link, { border: 1 });
      device.write(`Open this link to sign in as ${person} (once, ${minutes} minutes):\n\n  ${link}\n\n${indented(code)}\n\n`);
    }
    return true;
  } finally {
    device.close();
  }
}

function terminal(): TerminalDevice | null {
  try {
    return new TerminalDevice("Signing in");
  } catch (error) {
    if (isHapError(error) && error.code === "terminal_needed") return null;
    throw error;
  }
}

/** The browser reads a file of this user's that leads on to the link. What stays of it is worth nothing once the link is over. */
function openThroughFile(link: string, path: string, env: NodeJS.ProcessEnv): void {
  const page = `<!doctype html><meta charset="utf-8"><title>HAP</title><meta http-equiv="refresh" content="0;url=${link}">
<p><a href="${link}">Open HAP</a></p>\n`;
  rmSync(path, { force: true });
  writeFileSync(path, page, { mode: 0o600, flag: "wx" });
  setTimeout(() => rmSync(path, { force: true }), CODE.ttlMs).unref();
  openBrowser(path, env);
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
