// Keys by which people sign: passkeys made on the page, SSH keys from a terminal, and signing in with a passkey.
import { CREDENTIAL_KINDS, HapError, type NewCredential, newCredentialSchema, once, signatureSchema } from "@hap/protocol";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod";
import type { Principal } from "../auth/principal.ts";
import { creationOptions, readRegistration } from "../auth/registration.ts";
import { type Call, type Route, route } from "../route.ts";
import { assertMayRead } from "../visible.ts";
import { guarded, type SignInContext, signInReply } from "./identity.ts";
import { anyObject, erasureAnswer, erasureBody, given, text } from "./shapes.ts";

const tag = "credentials";

const credentialView = once(() =>
  z.object({
    id: z.string(),
    person: z.string(),
    kind: z.enum(CREDENTIAL_KINDS),
    algorithm: z.string(),
    public_key: z.string(),
    fingerprint: z.string(),
    label: z.string().nullable(),
    rp_id: z.string().nullable(),
    origins: z.array(z.string()),
    transports: z.array(z.string()),
    sign_count: z.int(),
    user_verification: z.boolean(),
    anchored: z.boolean(),
    level: z.string(),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
  }),
);
const signable = once(() => z.object({ statement: anyObject(), challenge: z.string(), expires_at: z.string() }));
/** What came from `navigator.credentials.create`, as the browser writes it in JSON; or an SSH key. */
const material = () => ({
  nonce: text(60),
  registration: z.looseObject({ id: z.string(), rawId: z.string(), type: z.string(), response: anyObject() }).optional(),
  credential: newCredentialSchema().optional(),
});
type Material = { nonce: string; registration?: unknown; credential?: NewCredential | undefined };

/** The origin of the page that asks, which the passkey is bound to. */
function pageOrigin(request: Request, origins: ReadonlySet<string>): { origin: string; rpId: string } {
  const origin = request.headers.get("origin");
  if (origin === null || !origins.has(origin))
    throw new HapError("origin_refused", "A passkey is made and used on this server's page, in a browser.", { origin });
  return { origin, rpId: new URL(origin).hostname };
}

async function readMaterial(call: Call, body: Material): Promise<NewCredential> {
  const { statement, challenge } = call.engine.enrolmentBegun(body.nonce);
  if (statement.kind === "ssh") {
    if (body.credential !== undefined) return body.credential;
    throw new HapError("invalid_input", "An SSH key comes as `credential`, with the line of its public key file.", {
      field: "credential",
    });
  }
  if (body.registration === undefined || statement.origin === null || statement.rp_id === null)
    throw new HapError("invalid_input", "A passkey comes as `registration`, what the browser made.", { field: "registration" });
  return readRegistration(body.registration as RegistrationResponseJSON, {
    challenge,
    origin: statement.origin,
    rpId: statement.rp_id,
  });
}

export const credentialRoutes = (front: SignInContext & { origins: () => ReadonlySet<string> }): Route[] => [
  route({
    method: "get",
    path: "/v1/credentials",
    id: "listCredentials",
    tag,
    summary: "One's keys, oldest first, revoked ones too",
    who: "person",
    answer: { status: 200, schema: z.object({ credentials: z.array(credentialView()) }), description: "Keys" },
    handle: async ({ person }) => ({ body: { credentials: await person.credentials() } }),
  }),
  route({
    method: "post",
    path: "/v1/credentials/enrolment",
    id: "beginEnrolment",
    tag,
    summary: "Begin to add a key: the challenge to make it with, and what must vouch for it",
    who: "person",
    body: z.object({ kind: z.enum(CREDENTIAL_KINDS), label: text(200).nullish() }),
    answer: {
      status: 201,
      schema: signable().extend({ needs: z.enum(["code", "assertion"]), options: anyObject().nullable() }),
      description: "What to sign; for a passkey also the options for the browser",
    },
    handle: async ({ person, body, request, engine }) => {
      if (body.kind === "ssh") return { status: 201, body: { ...(await person.beginEnrolment(given(body))), options: null } };
      const { origin, rpId } = pageOrigin(request, front.origins());
      const begun = await person.beginEnrolment({ ...given(body), origin, rp_id: rpId });
      const exclude = (await person.credentials()).filter(({ kind, revoked_at }) => kind === "passkey" && revoked_at === null);
      const options = creationOptions({
        challenge: begun.challenge,
        rpId,
        person: person.person,
        handle: engine.handleOf(person.person),
        exclude,
      });
      return { status: 201, body: { ...begun, options } };
    },
  }),
  route({
    method: "post",
    path: "/v1/credentials/vouch",
    id: "vouchForCredential",
    tag,
    summary: "What an older key signs to vouch for the new one",
    who: "person",
    body: z.object(material()),
    maxBytes: 64 * 1024,
    answer: { status: 201, schema: signable(), description: "What to sign" },
    handle: async (call) => ({
      status: 201,
      body: await call.person.enrolmentChallenge(call.body.nonce, await readMaterial(call as unknown as Call, call.body)),
    }),
  }),
  route({
    method: "post",
    path: "/v1/credentials",
    id: "enrolCredential",
    tag,
    summary: "Add a key: a first one by the code typed from a terminal, a later one by an assertion of an older one",
    who: "person",
    body: z.object({ ...material(), code: text(40).optional(), assertion: signatureSchema().optional() }),
    maxBytes: 64 * 1024,
    answer: { status: 201, schema: credentialView(), description: "The key" },
    handle: (call) =>
      guarded(front.attempts, call.remote, async () => {
        const { nonce, code, assertion } = call.body;
        const credential = await readMaterial(call as unknown as Call, call.body);
        return { status: 201, body: await call.person.enrolCredential(given({ nonce, credential, code, assertion })) };
      }),
  }),
  route({
    method: "post",
    path: "/v1/credentials/{id}/revocation",
    id: "beginRevocation",
    tag,
    summary: "What to sign to revoke a key; a revocation need not be signed",
    who: "person",
    answer: { status: 201, schema: signable(), description: "What to sign" },
    handle: async ({ person, params }) => ({ status: 201, body: await person.beginRevocation(params.id as string) }),
  }),
  route({
    method: "post",
    path: "/v1/credentials/{id}/revoke",
    id: "revokeCredential",
    tag,
    summary: "Take a key out of use for good",
    who: "person",
    body: z.object({ nonce: text(60).optional(), assertion: signatureSchema().optional() }),
    bodyRequired: false,
    answer: { status: 200, schema: credentialView(), description: "The key as it is then" },
    handle: async ({ person, params, body }) => {
      const { nonce, assertion } = body;
      const signed = nonce === undefined || assertion === undefined ? undefined : { nonce, assertion };
      return { body: await person.revokeCredential(params.id as string, signed) };
    },
  }),
  route({
    method: "post",
    path: "/v1/credentials/{id}/erase",
    id: "eraseCredential",
    tag,
    summary: "Delete the label of a key for good; the key stays as it is",
    who: "person",
    body: erasureBody(),
    bodyRequired: false,
    answer: erasureAnswer(),
    handle: async ({ person, params, body }) => ({
      body: { erased: await person.eraseCredential(params.id as string, body.reason) },
    }),
  }),
  route({
    method: "get",
    path: "/v1/tickets/{id}/needed",
    id: "neededForYes",
    tag,
    summary: "What a yes to a ticket needs from this person: a signature, a typed phrase, or neither",
    who: "person",
    answer: {
      status: 200,
      schema: z.object({ signature: z.enum(["key", "passkey"]).nullable(), confirmed: z.boolean() }),
      description: "What is needed",
    },
    handle: async (call) => {
      assertMayRead(call.engine, call.principal as Principal, call.params.id as string);
      return { body: await call.person.needed(call.params.id as string) };
    },
  }),
  route({
    method: "post",
    path: "/v1/login/passkey/begin",
    id: "beginPasskeyLogin",
    tag,
    summary: "What to sign to sign in with a passkey",
    who: "anyone",
    body: z.object({ person: text(80).optional() }),
    bodyRequired: false,
    answer: {
      status: 201,
      schema: signable().extend({ credential_ids: z.array(z.string()), rp_id: z.string() }),
      description: "What to sign, and with which passkeys",
    },
    handle: ({ engine, body, request }) => ({
      status: 201,
      body: { ...engine.beginLogin(body.person), rp_id: pageOrigin(request, front.origins()).rpId },
    }),
  }),
  route({
    method: "post",
    path: "/v1/login/passkey",
    id: "loginByPasskey",
    tag,
    summary: "Sign in with what the passkey signed",
    who: "anyone",
    body: z.object({ nonce: text(60), assertion: signatureSchema().partial({ algorithm: true }) }),
    answer: {
      status: 200,
      schema: z.object({ person: z.string(), expires_at: z.string(), token: z.string().optional() }),
      description: "Signed in, by cookie",
    },
    handle: ({ engine, body, remote }) =>
      guarded(front.attempts, remote, () => {
        const { person } = engine.finishLogin({ nonce: body.nonce, assertion: given(body.assertion) });
        return signInReply({ engine }, person, "passkey", "cookie", front.secure);
      }),
  }),
];
