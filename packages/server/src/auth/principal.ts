// Who a request comes from: an agent with a key, a person who signed in, or the desktop app of the person at this account.
// Nobody is both, and no route guesses.
import { createHash, timingSafeEqual } from "node:crypto";
import type { HapEngine, Role } from "@hap/core";
import { HapError, type KeyScope, parseAskerId } from "@hap/protocol";
import type { Caller } from "@hap/sdk/embedded";
import type { Headers } from "../api/request.ts";

/** An agent that came with a key. `agent` is the key's own, or one that joined through it. */
export type AgentPrincipal = { kind: "agent"; agent: string; keyId: string; owner: string; scopes: readonly KeyScope[] };
/** A person who signed in. */
export type PersonPrincipal = {
  kind: "person";
  person: string;
  role: Role | null;
  via: "cookie" | "token" | "app";
  /** What the sign-in is worth as evidence (D3). */
  level: "local" | "session";
  secret: string;
};
export type Principal = AgentPrincipal | PersonPrincipal;

/** The desktop app, which started this server for the person at this account: the secret is all that it shows. */
export function identifyApp(engine: HapEngine, headers: Headers, secret: string): PersonPrincipal {
  const given = /^Bearer (\S+)$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  const digest = (text: string) => createHash("sha256").update(text).digest();
  if (!timingSafeEqual(digest(given), digest(secret)))
    throw new HapError("login_needed", "This socket serves the desktop app that started it, and nobody else.");
  const person = engine.localPerson;
  return { kind: "person", person, role: engine.roleOf(person), via: "app", level: "local", secret };
}

/** True for those who see everybody's tickets: people with a role, keys with the scope (D4). */
function readsAll(principal: Principal): boolean {
  return principal.kind === "agent" ? principal.scopes.includes("read_all") : principal.role !== null;
}

/** The principal as the handlers of operations see it. */
export function callerOf(engine: HapEngine, principal: Principal, signal: () => AbortSignal): Caller {
  const common = {
    engine,
    readsAll: readsAll(principal),
    get signal() {
      return signal();
    },
  };
  if (principal.kind === "agent")
    return Object.assign(common, { kind: "agent" as const, agent: principal.agent, owner: principal.owner });
  const { person, level: assurance } = principal;
  return Object.assign(common, { kind: "person" as const, person, assurance } as const);
}

/** A space's session cookie. */
export type SessionCookie = { name: string; secure: boolean };

/**
 * The cookie of a space, null for the server's own; with the prefix that browsers tie to https where there is https. Each space has
 * a cookie of its own, so that a person can be signed in to several.
 */
export function sessionCookie(space: string | null, secure: boolean): SessionCookie {
  return { name: `${secure ? "__Host-hap" : "hap"}${space === null ? "" : `.${space}`}`, secure };
}

/** Find out who a request comes from; null when it says nothing about that. What it says wrongly is an error. */
export function identify(engine: HapEngine, headers: Headers, cookie: SessionCookie): Principal | null {
  const header = headers.get("authorization");
  if (header !== null) return byBearer(engine, header, headers.get("hap-agent"));
  const secret = readCookie(headers.get("cookie"), cookie.name);
  return secret === null ? null : bySignIn(engine, secret, "cookie");
}

function byBearer(engine: HapEngine, header: string, actingAs: string | null): Principal | null {
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined)
    throw new HapError("key_invalid", "The Authorization header must be `Bearer KEY`, with an API key or a sign-in token.");
  if (!token.startsWith("hap_")) {
    const person = bySignIn(engine, token, "token");
    if (person !== null) return person;
    throw new HapError("login_needed", "This sign-in is over, or never was. Sign in again: `hap login`.");
  }
  const { id: keyId, agent: owner, scopes } = engine.checkKey(token);
  return { kind: "agent", agent: agentBehind(engine, owner, actingAs), keyId, owner, scopes };
}

/** An agent may act for agents that joined through its key, and for nobody else. */
function agentBehind(engine: HapEngine, owner: string, actingAs: string | null): string {
  return actingAs === null ? owner : actingFor(engine, owner, actingAs, "HAP-Agent");
}

/** The agent with this name if the key's owner may act for it. `field` names it in errors. */
export function actingFor(engine: HapEngine, owner: string, actingAs: string, field: string): string {
  const agent = parseAskerId(actingAs, field);
  if (agent === owner || engine.agentOwner(agent) === owner) return agent;
  throw new HapError("scope_missing", `This key is ${owner}'s, and ${agent} did not join through it.`, { agent });
}

function bySignIn(engine: HapEngine, secret: string, via: "cookie" | "token"): PersonPrincipal | null {
  const found = engine.signedIn(secret);
  if (found === null || found.kind !== via) return null;
  return { kind: "person", person: found.person, role: engine.roleOf(found.person), via, level: levelOf(engine, found), secret };
}

/** In class `open` every program of the same user can make a link or a code, so such a sign-in shows no more than a terminal does. */
function levelOf({ trust }: HapEngine, { how }: { how: string }): "local" | "session" {
  return trust === "open" && how === "code" ? "local" : "session";
}

function readCookie(header: string | null, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return null;
}
