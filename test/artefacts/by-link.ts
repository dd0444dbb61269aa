// `hap start` at a terminal of an installed program, and a browser that has nothing but the link that it shows.
import { type ChildProcess, spawn } from "node:child_process";
import { expect, onTestFinished } from "vitest";
import { startChromium } from "../support/chromium.ts";

const LINK = /http:\/\/\S+?#link=[\w-]{43}/;

/** Start a command at a terminal of its own and wait for its sign-in link; it ends with the test. */
export async function startAtTerminal(command: string, options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<string> {
  const child = spawn("script", ["--quiet", "--flush", "--return", "--command", command, "/dev/null"], {
    ...options,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => stop(child));
  let screen = "";
  for await (const bytes of child.stdout) {
    screen += bytes;
    const link = LINK.exec(screen)?.[0];
    if (link !== undefined) {
      // Read on, so that the program is never held up by a full pipe.
      child.stdout.resume();
      return link;
    }
  }
  throw new Error(`${command} ended without a link: ${screen}`);
}

/** Ctrl-C at the terminal, as a person does. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.write("\u0003");
  await ended;
}

/** From the link alone: sign in, find the ticket and approve it. */
export async function approveByLink(link: string, summary: string): Promise<void> {
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  // High enough to show the whole ticket: a yes is offered once all of it was on the screen.
  const page = await browser.newPage({ viewport: { width: 1280, height: 3000 } });
  await page.goto(link);
  await page
    .getByRole("link", { name: new RegExp(summary) })
    .first()
    .click();
  expect(page.url()).not.toContain("link=");
  await page
    .getByRole("button", { name: /Approve/ })
    .first()
    .click();
}
