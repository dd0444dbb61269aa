// What is confirmed by a typed phrase is confirmed where a person sits: on the page or in the desktop app, never by a token alone.
import { HapError } from "@hap/protocol";
import { assertMayRead, type PersonCaller, personHandlers } from "@hap/sdk/embedded";
import type { ServerHandlers } from "../entries.ts";
import type { ApiRequest } from "../request.ts";

/** Refuse a token, which a program can hold, and say where on the page to go on. */
export function assertAtPage(
  { principal, address }: ApiRequest,
  path: string,
  what: string,
  fields: Record<string, unknown> = {},
): void {
  if (principal?.kind === "person" && principal.via !== "token") return;
  const page = `${address}${path}`;
  throw new HapError("page_needed", `${what} Confirm it on the page: ${page}`, { ...fields, page });
}

/** Handlers that a token is not enough for. */
export const pageHandlers = {
  linkSubject: (call, input) => {
    const what = "A linked account signs in as the person, on the page too, and a token alone cannot link one.";
    assertAtPage(call, "/settings", what);
    return personHandlers.linkSubject(call.caller as PersonCaller, input);
  },
  issuePhrase: (call, input) => {
    const person = call.caller as PersonCaller;
    assertMayRead(person, input.id);
    const what = `${input.id} is critical, and a token alone cannot approve it. Sign it with a key, or confirm it by a phrase.`;
    assertAtPage(call, `/tickets/${input.id}`, what, { ticket_id: input.id });
    return personHandlers.issuePhrase(person, input);
  },
  issuePolicyPhrase: (call, input) => {
    assertAtPage(call, "/settings", "A policy answers in your name, and a token alone cannot put one in force.");
    return personHandlers.issuePolicyPhrase(call.caller as PersonCaller, input);
  },
  issueGrantPhrase: (call, input) => {
    assertAtPage(call, "/grants", "A grant answers in your name, and a token alone cannot put one in force.");
    return personHandlers.issueGrantPhrase(call.caller as PersonCaller, input);
  },
  issueDeletionPhrase: (call, input) => {
    assertAtPage(call, "/settings", "A deletion cannot be undone, and a token alone cannot confirm one.");
    return personHandlers.issueDeletionPhrase(call.caller as PersonCaller, input);
  },
} satisfies Partial<ServerHandlers>;
