// Who may come in: API keys of agents, people and their roles, and how people sign in and out.
import { ownCommand } from "@hap/core";
import { KEY_SCOPES, once } from "@hap/protocol";
import * as z from "zod";
import { cookieName, type PersonPrincipal } from "../auth/principal.ts";
import type { RateLimit } from "../auth/rate-limit.ts";
import type { SignInThrough } from "../auth/sign-in-through.ts";
import { type Call, type Reply, type Route, route } from "../route.ts";
import { given, text } from "./shapes.ts";

const tag = "identity";

const keyView = once(() =>
  z.object({
    id: z.string(),
    agent: z.string(),
    scopes: z.array(z.enum(KEY_SCOPES)),
    created_by: z.string(),
    created_at: z.string(),
    expires_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
    last_used_at: z.string().nullable(),
    replaces: z.string().nullable(),
  }),
);
const newKey = once(() => keyView().extend({ key: z.string().meta({ description: "The secret; it is shown this once" }) }));
const me = once(() =>
  z.object({
    kind: z.enum(["person", "agent"]),
    id: z.string(),
    role: z.enum(["owner", "approver", "auditor"]).nullable(),
    scopes: z.array(z.enum(KEY_SCOPES)),
    trust: z.enum(["open", "apart", "remote"]),
    place: z.string(),
  }),
);
const signedIn = once(() => z.object({ person: z.string(), expires_at: z.string(), token: z.string().optional() }));
/** Somebody's account at an identity provider. */
const account = once(() => z.object({ issuer: text(300).min(1), subject: text(300).min(1) }));

/** What signing in needs from the server. */
export type SignInContext = { secure: boolean; attempts: RateLimit; through: SignInThrough };

/** Sign a person in: a cookie for the page, or a token in the body for a terminal. */
export function signInReply(
  call: Pick<Call, "engine">,
  person: string,
  how: "code" | "passkey" | "oidc" | "github",
  kind: "cookie" | "token",
  secure: boolean,
): Reply {
  const { secret, expires_at } = call.engine.signIn(person, kind, how);
  if (kind === "token") return { body: { person, expires_at, token: secret } };
  return { body: { person, expires_at }, headers: { "set-cookie": cookie(secret, secure) } };
}

/** The session cookie; an empty secret takes it back. */
export function cookie(secret: string, secure: boolean): string {
  const parts = [`${cookieName(secure)}=${secret}`, "Path=/", "HttpOnly", "SameSite=Strict"];
  if (secure) parts.push("Secure");
  if (secret === "") parts.push("Max-Age=0");
  return parts.join("; ");
}

/** Run a sign-in that may be guessed at: too many failures from one address, and it must wait. */
export async function guarded<T>(attempts: RateLimit, remote: string | null, work: () => T | Promise<T>): Promise<T> {
  const address = remote ?? "unknown";
  attempts.check(address);
  try {
    return await work();
  } catch (error) {
    attempts.spend(address);
    throw error;
  }
}

export const identityRoutes = ({ secure, attempts, through }: SignInContext): Route[] => [
  route({
    method: "get",
    path: "/v1/me",
    id: "me",
    tag,
    summary: "Who one is here, and where this is",
    who: "either",
    answer: { status: 200, schema: me(), description: "The caller" },
    handle: ({ principal, engine, request }) => {
      const place = new URL(request.url).origin;
      const common = { trust: engine.trust, place };
      if (principal?.kind === "agent")
        return { body: { kind: "agent", id: principal.agent, role: null, scopes: principal.scopes, ...common } };
      const { person, role } = principal as PersonPrincipal;
      return { body: { kind: "person", id: person, role, scopes: [], ...common } };
    },
  }),
  route({
    method: "post",
    path: "/v1/login/code",
    id: "loginByCode",
    tag,
    summary: "Sign in with the one-time code that was shown on a terminal",
    who: "anyone",
    body: z.object({ code: text(40), kind: z.enum(["cookie", "token"]).optional() }),
    answer: { status: 200, schema: signedIn(), description: "Signed in: by cookie, or by the token in the body" },
    handle: ({ engine, body, remote }) =>
      guarded(attempts, remote, () => {
        const { person } = engine.redeemCode(body.code, "login");
        return signInReply({ engine }, person, "code", body.kind ?? "cookie", secure);
      }),
  }),
  route({
    method: "post",
    path: "/v1/login/link",
    id: "loginByLink",
    tag,
    summary: "Sign the page in with the secret of a one-time link, which is in the link's fragment",
    who: "anyone",
    body: z.object({ secret: text(60) }),
    answer: { status: 200, schema: signedIn(), description: "Signed in, by cookie" },
    handle: ({ engine, body, remote }) =>
      guarded(attempts, remote, () => {
        const { person } = engine.redeemCode(body.secret, "link");
        return signInReply({ engine }, person, "code", "cookie", secure);
      }),
  }),
  route({
    method: "get",
    path: "/v1/login",
    id: "waysToLogIn",
    tag,
    summary: "How people sign in here: always by a code or a passkey, and through these providers, at /login/NAME",
    who: "anyone",
    answer: {
      status: 200,
      schema: z.object({
        providers: z.array(z.string()),
        command: z
          .string()
          .meta({ description: "How people run HAP on the server's machine, where `login --code` shows a code" }),
      }),
      description: "Providers, and the server's own command",
    },
    handle: () => ({ body: { providers: through.names, command: ownCommand() } }),
  }),
  route({
    method: "post",
    path: "/v1/login/handover",
    id: "loginByHandover",
    tag,
    summary: "A terminal that sent its person through a provider takes over the sign-in",
    who: "anyone",
    body: z.object({ handover: text(60), verifier: text(100) }),
    answer: { status: 200, schema: signedIn(), description: "Signed in, by the token in the body" },
    handle: ({ engine, body, remote }) =>
      guarded(attempts, remote, () =>
        signInReply({ engine }, through.takeHandover(body.handover, body.verifier), "oidc", "token", secure),
      ),
  }),
  route({
    method: "post",
    path: "/v1/logout",
    id: "logout",
    tag,
    summary: "Sign out; with `everywhere`, from all places",
    who: "person",
    body: z.object({ everywhere: z.boolean().optional() }),
    bodyRequired: false,
    answer: { status: 204, schema: null, description: "Signed out" },
    handle: ({ principal, engine, body }) => {
      const { secret, person } = principal as PersonPrincipal;
      engine.signOut(body.everywhere === true ? { person } : { secret });
      return new Response(null, { status: 204, headers: { "set-cookie": cookie("", secure) } });
    },
  }),
  route({
    method: "post",
    path: "/v1/keys",
    id: "createKey",
    tag,
    summary: "An API key for an agent; its secret is shown once",
    who: "owner",
    body: z.object({
      agent: text(80),
      scopes: z.array(text(20)).min(1).max(KEY_SCOPES.length).optional(),
      expires_in_seconds: z.int().min(1).optional(),
    }),
    example: { agent: "agent:ci", scopes: ["create", "read_own"], expires_in_seconds: 2_592_000 },
    answer: { status: 201, schema: newKey(), description: "The key" },
    handle: ({ engine, body, person }) => ({
      status: 201,
      body: engine.createKey(
        given({ agent: body.agent, scopes: body.scopes, expiresInSeconds: body.expires_in_seconds }),
        person.person,
      ),
      headers: { "cache-control": "no-store" },
    }),
  }),
  route({
    method: "get",
    path: "/v1/keys",
    id: "listKeys",
    tag,
    summary: "API keys, newest first, without their secrets",
    who: "owner",
    answer: { status: 200, schema: z.object({ keys: z.array(keyView()) }), description: "Keys" },
    handle: ({ engine }) => ({ body: { keys: engine.listKeys() } }),
  }),
  route({
    method: "post",
    path: "/v1/keys/{id}/rotate",
    id: "rotateKey",
    tag,
    summary: "A new secret with the same rights; the old one ends at once",
    who: "owner",
    answer: { status: 201, schema: newKey(), description: "The new key" },
    handle: ({ engine, params, person }) => ({
      status: 201,
      body: engine.rotateKey(params.id as string, person.person),
      headers: { "cache-control": "no-store" },
    }),
  }),
  route({
    method: "delete",
    path: "/v1/keys/{id}",
    id: "revokeKey",
    tag,
    summary: "Take a key back",
    who: "owner",
    answer: { status: 200, schema: keyView(), description: "The key as it is then" },
    handle: ({ engine, params, person }) => ({ body: engine.revokeKey(params.id as string, person.person) }),
  }),
  route({
    method: "get",
    path: "/v1/people",
    id: "listPeople",
    tag,
    summary: "People that this log knows, their roles, and the accounts that mean them",
    who: "owner",
    answer: {
      status: 200,
      schema: z.object({
        people: z.array(
          z.object({
            person: z.string(),
            role: z.enum(["owner", "approver", "auditor"]).nullable(),
            since: z.string(),
            subjects: z.array(z.object({ issuer: z.string(), subject: z.string() })),
          }),
        ),
      }),
      description: "People",
    },
    handle: ({ engine }) => ({ body: { people: engine.people() } }),
  }),
  route({
    method: "post",
    path: "/v1/people/{person}/subjects",
    id: "linkSubject",
    tag,
    summary: "Say which account of an identity provider means a person",
    who: "owner",
    body: account(),
    answer: { status: 204, schema: null, description: "Linked" },
    handle: async ({ person, params, body }) => {
      await person.linkSubject(params.person as string, body.issuer, body.subject);
      return new Response(null, { status: 204 });
    },
  }),
  route({
    method: "post",
    path: "/v1/people/{person}/subjects/unlink",
    id: "unlinkSubject",
    tag,
    summary: "An account means this person no longer; they are signed out everywhere",
    who: "owner",
    body: account(),
    answer: { status: 204, schema: null, description: "Unlinked" },
    handle: async ({ person, params, body }) => {
      await person.unlinkSubject(params.person as string, body.issuer, body.subject);
      return new Response(null, { status: 204 });
    },
  }),
];
