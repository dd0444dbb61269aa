// What only a server offers: who one is, signing in and out, the live stream, and Web Push.
import { eventFilter, me } from "./either.ts";
import { operation } from "./operation.ts";
import type { Shapes } from "./shapes.ts";

const login = { tag: "identity", who: "anyone" } as const;
const push = { tag: "push", who: "person" } as const;
const signedIn = (s: Shapes) => s.object({ person: s.string(), expires_at: s.string(), token: s.string().optional() });
const endpoint = (s: Shapes) => s.text(2000).meta({ description: "The browser's address at its push service, https" });

/** Operations without a meaning on a store of one's own. */
export const serverOperations = {
  me,
  streamEvents: operation({
    id: "streamEvents",
    method: "GET",
    path: "/v1/events/stream",
    tag: "log",
    summary: "Events as they come, as Server-Sent Events; Last-Event-ID resumes. Also as a WebSocket, at /v1/events/socket",
    who: "either",
    scope: "read_own",
    headers: { "Last-Event-ID": { field: "last_event_id", maxLength: 300 } },
    input: (s) =>
      s.object({
        ...eventFilter(s),
        after: s.text(300).optional().meta({ description: "A cursor; empty: from the first event; left out: from now on" }),
      }),
    media: "text/event-stream",
    answer: "One frame an event, its id the cursor",
  }),
  waysToLogIn: operation({
    ...login,
    id: "waysToLogIn",
    method: "GET",
    path: "/v1/login",
    summary: "How people sign in here: always by a code or a passkey, and through these providers, at /login/NAME",
    output: (s) =>
      s.object({
        providers: s.array(s.string()),
        command: s
          .string()
          .meta({ description: "How people run HAP on the server's machine, where `login --code` shows a code" }),
      }),
    answer: "Providers, and the server's own command",
  }),
  loginByCode: operation({
    ...login,
    id: "loginByCode",
    method: "POST",
    path: "/v1/login/code",
    summary: "Sign in with the one-time code that was shown on a terminal",
    input: (s) => s.object({ code: s.text(40), kind: s.enum(["cookie", "token"]).optional() }),
    output: signedIn,
    answer: "Signed in: by cookie, or by the token in the body",
  }),
  loginByLink: operation({
    ...login,
    id: "loginByLink",
    method: "POST",
    path: "/v1/login/link",
    summary: "Sign the page in with the secret of a one-time link, which is in the link's fragment",
    input: (s) => s.object({ secret: s.text(60) }),
    output: signedIn,
    answer: "Signed in, by cookie",
  }),
  loginByHandover: operation({
    ...login,
    id: "loginByHandover",
    method: "POST",
    path: "/v1/login/handover",
    summary: "A terminal that sent its person through a provider takes over the sign-in",
    input: (s) => s.object({ handover: s.text(1_000), verifier: s.text(100) }),
    output: signedIn,
    answer: "Signed in, by the token in the body",
  }),
  beginPasskeyLogin: operation({
    ...login,
    id: "beginPasskeyLogin",
    method: "POST",
    path: "/v1/login/passkey/begin",
    tag: "credentials",
    summary: "What to sign to sign in with a passkey",
    input: (s) => s.object({ person: s.text(80).optional() }),
    status: 201,
    output: (s) => s.object({ ...s.signable<object>(), credential_ids: s.array(s.string()), rp_id: s.string() }),
    answer: "What to sign, and with which passkeys",
  }),
  loginByPasskey: operation({
    ...login,
    id: "loginByPasskey",
    method: "POST",
    path: "/v1/login/passkey",
    tag: "credentials",
    summary: "Sign in with what the passkey signed",
    input: (s) => s.object({ nonce: s.text(60), assertion: s.signature().partial({ algorithm: true }) }),
    output: signedIn,
    answer: "Signed in, by cookie",
  }),
  logout: operation({
    id: "logout",
    method: "POST",
    path: "/v1/logout",
    tag: "identity",
    summary: "Sign out; with `everywhere`, from all places",
    who: "person",
    input: (s) => s.object({ everywhere: s.boolean().optional() }),
    status: 204,
    answer: "Signed out",
  }),
  /** A one-time link for another device of the same person; its sign-in is worth no more than this one. */
  beginPairing: operation({
    id: "beginPairing",
    method: "POST",
    path: "/v1/pairings",
    tag: "identity",
    summary: "A one-time link that signs in another device of yours, for the page alone: a token gets the page's address",
    who: "person",
    input: (s) => s.object({ name: s.text(200).meta({ description: "What to call the device" }) }),
    status: 201,
    output: (s) => s.object({ secret: s.string(), expires_at: s.string() }),
    answer: "The link's secret, for its fragment",
  }),
  signIns: operation({
    id: "listSignIns",
    method: "GET",
    path: "/v1/sign-ins",
    tag: "identity",
    summary: "Where you are signed in, last used first",
    who: "person",
    output: (s) =>
      s.object({
        sign_ins: s.array(
          s.object({
            id: s.string(),
            name: s.string().nullable(),
            kind: s.enum(["cookie", "token"]),
            how: s.string(),
            began_at: s.string(),
            last_used_at: s.string(),
            current: s.boolean(),
          }),
        ),
      }),
    answer: "Your sign-ins",
  }),
  endSignIn: operation({
    id: "endSignIn",
    method: "POST",
    path: "/v1/sign-ins/{id}/end",
    tag: "identity",
    summary: "End one of your sign-ins",
    who: "person",
    status: 204,
    answer: "It has ended",
  }),
  pushState: operation({
    ...push,
    id: "pushState",
    method: "GET",
    path: "/v1/push",
    summary: "The key to subscribe a browser with, null where Web Push is not configured, and in how many browsers one is called",
    output: (s) => s.object({ public_key: s.string().nullable(), browsers: s.int() }),
    answer: "Web Push as it stands",
  }),
  subscribePush: operation({
    ...push,
    id: "subscribePush",
    method: "POST",
    path: "/v1/push/subscriptions",
    summary:
      "Call this browser when a ticket waits, by a message with the ticket's code, agent and severity, and its summary only if asked for",
    input: (s) =>
      s.object({
        endpoint: endpoint(s),
        keys: s.object({ p256dh: s.text(200), auth: s.text(100) }),
        summary: s.boolean().optional().meta({ description: "Messages may hold the ticket's summary" }),
      }),
    example: {
      endpoint: "https://push.example.org/send/4f1c",
      keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
    },
    status: 201,
    output: (s) => s.object({ browsers: s.int() }),
    answer: "In how many browsers one is called now",
  }),
  unsubscribePush: operation({
    ...push,
    id: "unsubscribePush",
    method: "POST",
    path: "/v1/push/subscriptions/remove",
    summary: "Stop calling this browser; an address that is not one's own is ignored",
    input: (s) => s.object({ endpoint: endpoint(s) }),
    status: 204,
    answer: "It is called no more",
  }),
};
