// Who asks, and whether the operation is for them.

import type { IncomingMessage } from "node:http";
import type { HapEngine } from "@hap/core";
import { HapError } from "@hap/protocol";
import type { Operation } from "@hap/protocol/operations";
import { identify, identifyApp, type Principal, type SessionCookie } from "../auth/principal.ts";
import type { RateLimit } from "../auth/rate-limit.ts";
import { clientAddress } from "../client-address.ts";
import type { Headers } from "./request.ts";

/** What is needed to know callers. */
export type Gatekeeper = {
  engine: HapEngine;
  tls: boolean;
  cookie: SessionCookie;
  /** The desktop app's secret, where this server is its own. */
  appSecret: string | undefined;
  attempts: RateLimit;
  origins: () => ReadonlySet<string>;
};

/** Find out who asks, and refuse callers that the operation is not for. */
export function whoAsks(
  { engine, cookie, appSecret, attempts, origins }: Gatekeeper,
  operation: Operation,
  incoming: IncomingMessage,
  headers: Headers,
): Principal | null {
  let principal: Principal | null;
  try {
    principal = appSecret === undefined ? identify(engine, headers, cookie) : identifyApp(engine, headers, appSecret);
  } catch (error) {
    const address = clientAddress(incoming);
    attempts.check(address);
    attempts.spend(address);
    throw error;
  }
  if (principal?.kind === "person" && principal.via === "cookie") refuseForeign(incoming.method, headers, origins());
  authorise(operation, principal);
  return principal;
}

/** A cookie travels by itself, so a request that changes something must come from our own page (CSRF). */
function refuseForeign(method: string | undefined, headers: Headers, origins: ReadonlySet<string>): void {
  if (method === "GET" || method === "HEAD") return;
  const origin = headers.get("origin");
  if (origin !== null && origins.has(origin)) return;
  throw new HapError(
    "origin_refused",
    `A request with a sign-in cookie must come from this server's page; Origin is ${String(origin).slice(0, 100)}.`,
    { origin },
  );
}

/** What changes something and is about no ticket of the caller's own: not for auditors. The engine guards tickets of others. */
const NOT_FOR_AUDITORS: ReadonlySet<string> = new Set([
  "createTicket",
  "openSample",
  "queueMessage",
  "changeQueue",
  "labelAgent",
  "broadcast",
  "eraseConversation",
]);

function authorise({ who, scope, id }: Operation, principal: Principal | null): void {
  if (who === "anyone") return;
  if (principal === null) {
    throw who === "agent"
      ? new HapError("key_invalid", "This needs an API key as `Authorization: Bearer KEY`: `hap key create --agent agent:NAME`.")
      : new HapError("login_needed", "Sign in first: open the page, or `hap login`.");
  }
  if (principal.kind === "agent") {
    if (who !== "agent" && who !== "either")
      throw new HapError("agent_cannot_decide", `${principal.agent} is an agent; ${id} is for people.`, { by: principal.agent });
    const { scopes } = principal;
    if (scope === undefined || scopes.includes(scope) || (scope === "read_own" && scopes.includes("read_all"))) return;
    throw new HapError("scope_missing", `The key lacks the scope ${scope}; it has ${scopes.join(", ")}.`, { scope });
  }
  if (who === "agent")
    throw new HapError("scope_missing", `${id} is for agents, which come with an API key; ${principal.person} is a person.`);
  if (principal.role === "auditor" && NOT_FOR_AUDITORS.has(id))
    throw new HapError("scope_missing", `Auditors are read-only; ${id} is for owners, approvers and people without a role.`);
  if (who === "owner" && principal.role !== "owner")
    throw new HapError(
      "scope_missing",
      `Only owners can do this. ${principal.person} is not an owner; owners are named in the policy, or are the person whose machine it is.`,
    );
}
