// Who one is on a server, and how people sign in and out.
import { type HapEngine, ownCommand } from "@hap/core";
import type { PersonPrincipal, SessionCookie } from "../../auth/principal.ts";
import type { RateLimit } from "../../auth/rate-limit.ts";
import type { SignInThrough } from "../../auth/sign-in-through.ts";
import type { ServerHandlers } from "../entries.ts";
import { OwnReply } from "../reply.ts";
import { assertAtPage } from "./at-page.ts";

/** What signing in needs from the server. */
export type SignInContext = { session: SessionCookie; attempts: RateLimit; through: SignInThrough };

/** Sign a person in: a cookie for the page, or a token in the body for a terminal. */
export function signInReply(
  engine: HapEngine,
  person: string,
  how: "code" | "passkey" | "oidc" | "github",
  kind: "cookie" | "token",
  session: SessionCookie,
): OwnReply {
  const { secret, expires_at } = engine.signIn(person, kind, how);
  if (kind === "token") return new OwnReply(200, { person, expires_at, token: secret });
  return new OwnReply(200, { person, expires_at }, { "set-cookie": cookie(secret, session) });
}

/** The session cookie; an empty secret deletes it. */
export function cookie(secret: string, { name, secure }: SessionCookie): string {
  const parts = [`${name}=${secret}`, "Path=/", "HttpOnly", "SameSite=Strict"];
  if (secure) parts.push("Secure");
  if (secret === "") parts.push("Max-Age=0");
  return parts.join("; ");
}

/** Run a sign-in that may be guessed at: after too many failures from one address, it must wait. */
export async function guarded<T>(attempts: RateLimit, address: string, work: () => T | Promise<T>): Promise<T> {
  attempts.check(address);
  try {
    return await work();
  } catch (error) {
    attempts.spend(address);
    throw error;
  }
}

/** Handlers of the caller's own identity. */
export function identityHandlers({ session, attempts, through }: SignInContext) {
  return {
    me: ({ principal, engine, address: place }) => {
      const common = { trust: engine.trust, place };
      if (principal?.kind === "agent")
        return { kind: "agent", id: principal.agent, role: null, scopes: [...principal.scopes], ...common };
      const { person, role } = principal as PersonPrincipal;
      return { kind: "person", id: person, role, scopes: [], ...common };
    },
    waysToLogIn: () => ({ providers: through.names, command: ownCommand() }),
    loginByCode: ({ engine, remote }, { code, kind = "cookie" }) =>
      guarded(attempts, remote, () => signInReply(engine, engine.redeemCode(code, "login").person, "code", kind, session)),
    loginByLink: ({ engine, remote }, { secret }) =>
      guarded(attempts, remote, () => {
        const { person } = engine.redeemCode(secret, "link");
        const begun = engine.signIn(person, "cookie", "code");
        engine.pairedAs(secret, begun.secret);
        return new OwnReply(200, { person, expires_at: begun.expires_at }, { "set-cookie": cookie(begun.secret, session) });
      }),
    beginPairing: (call, { name }) => {
      assertAtPage(call, "/settings", "A paired device decides in your name, and a token alone cannot pair one.");
      const { engine } = call;
      const { code: secret, expires_at } = engine.issueCode({
        purpose: "link",
        person: (call.principal as PersonPrincipal).person,
      });
      engine.namePairing(secret, name);
      return { secret, expires_at };
    },
    signIns: ({ principal, engine }) => {
      const { person, secret } = principal as PersonPrincipal;
      return { sign_ins: engine.listSignIns(person, secret) };
    },
    endSignIn: ({ principal, engine }, { id }) => {
      engine.endSignIn((principal as PersonPrincipal).person, id);
      return undefined;
    },
    loginByHandover: ({ engine, remote }, { handover, verifier }) =>
      guarded(attempts, remote, () => signInReply(engine, through.takeHandover(handover, verifier), "oidc", "token", session)),
    logout: ({ principal, engine }, { everywhere }) => {
      const { secret, person } = principal as PersonPrincipal;
      engine.signOut(everywhere === true ? { person } : { secret });
      return new OwnReply(204, undefined, { "set-cookie": cookie("", session) });
    },
  } satisfies Partial<ServerHandlers>;
}
