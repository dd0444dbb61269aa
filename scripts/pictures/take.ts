// Every picture: where it is taken, and what is done there first.
import type { Page } from "playwright-core";
import type { Sample } from "./sample-inbox.ts";

/** A scene on the page. `ready` is what shows that it is there. */
export type Scene = {
  name: string;
  path: (sample: Sample) => string;
  ready: string;
  act?: (page: Page) => Promise<void>;
  /** Taken signed out. */
  signedOut?: true;
  /** The pictures that the documents use, as DEVICE-COLOURS; all of them unless said otherwise. */
  on?: readonly string[];
};

const readAll = (page: Page, box = ".detail-scroll") =>
  page.locator(box).evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (element.scrollTop = 0; element.scrollTop + element.clientHeight < element.scrollHeight - 1; ) {
      element.scrollTop += element.clientHeight * 0.8;
      await frame();
      await frame();
    }
  });

const ticket = (id: keyof Sample) => (sample: Sample) => `/tickets/${sample[id]}`;

export const scenes: readonly Scene[] = [
  { name: "inbox", path: () => "/", ready: ".row" },
  { name: "command", path: ticket("install"), ready: ".decide-bar" },
  { name: "ticket", path: ticket("session"), ready: ".diff-file" },
  {
    name: "ticket-end",
    path: ticket("session"),
    ready: ".diff-file",
    on: ["desktop-light", "desktop-dark"],
    act: async (page) => {
      await page.locator(".evidence > summary").click();
      await readAll(page);
    },
  },
  {
    name: "review",
    path: ticket("session"),
    ready: ".diff-file",
    act: async (page) => {
      await readAll(page);
      await page.locator(".number.can-comment", { hasText: "15" }).last().click();
      await page.locator(".note-form textarea").fill("Say why 15 minutes, beside the number.");
    },
    on: ["desktop-light"],
  },
  { name: "marked", path: ticket("lookAlike"), ready: ".mark-alike" },
  { name: "question", path: ticket("question"), ready: ".answer-form, .decide-bar" },
  {
    name: "step-up",
    path: ticket("deploy"),
    ready: ".decide-bar",
    act: async (page) => {
      await readAll(page);
      await page.locator(".decide-bar > .good:not(.waits)").click();
      await page.locator("dialog .phrase").waitFor();
    },
  },
  {
    name: "reject",
    on: ["desktop-light", "phone-dark"],
    path: ticket("session"),
    ready: ".decide-bar",
    act: async (page) => {
      await page.locator(".decide-bar .bad").click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "conversations", path: ({ conversation }) => `/conversations/${encodeURIComponent(conversation)}`, ready: ".bubble" },
  { name: "insights", path: () => "/insights", ready: ".facts" },
  { name: "settings", path: () => "/settings", ready: ".thing" },
  {
    name: "pairing",
    path: () => "/settings",
    ready: ".thing",
    on: ["desktop-light"],
    act: async (page) => {
      await page.getByRole("button", { name: "Pair a phone" }).click();
      await page.getByLabel("Name of the device").fill("Alex's phone");
      await page.getByRole("button", { name: "Show the code" }).click();
      await page.getByRole("img", { name: "QR code of the pairing link" }).waitFor();
    },
  },
  { name: "sign-in", path: () => "/", ready: ".sign-in", signedOut: true },
];
