// Passkeys on a server: what the page's browser makes and signs.
import type { HapEngine } from "@hap/core";
import { HapError, type NewCredential } from "@hap/protocol";
import { type PersonCaller, personHandlers } from "@hap/sdk/embedded";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { creationOptions, readRegistration } from "../../auth/registration.ts";
import type { ServerHandlers } from "../entries.ts";
import type { Headers } from "../request.ts";
import { guarded, type SignInContext, signInReply } from "./identity.ts";

/** Handlers of signing keys. */
export function credentialHandlers({ attempts, session, origins }: SignInContext & { origins: () => ReadonlySet<string> }) {
  return {
    beginEnrolment: async ({ caller, headers, engine }, input) => {
      const person = caller as PersonCaller;
      if (input.kind === "ssh") return personHandlers.beginEnrolment(person, input);
      const { origin, rpId } = pageOrigin(headers, origins());
      const begun = engine.beginEnrolment({ ...input, origin, rp_id: rpId, person: person.person });
      const exclude = engine
        .credentials({ person: person.person })
        .filter(({ kind, revoked_at }) => kind === "passkey" && revoked_at === null);
      const { challenge } = begun;
      const handle = engine.handleOf(person.person);
      const options = creationOptions({ challenge, rpId, person: person.person, handle, exclude });
      return { ...begun, options: { ...options } };
    },
    enrolmentChallenge: async ({ caller, engine }, input) =>
      personHandlers.enrolmentChallenge(caller as PersonCaller, { ...input, credential: await readMaterial(engine, input) }),
    enrolCredential: ({ caller, engine, remote }, input) =>
      guarded(attempts, remote, async () =>
        personHandlers.enrolCredential(caller as PersonCaller, { ...input, credential: await readMaterial(engine, input) }),
      ),
    beginPasskeyLogin: ({ engine, headers }, { person }) => ({
      ...engine.beginLogin(person),
      rp_id: pageOrigin(headers, origins()).rpId,
    }),
    loginByPasskey: ({ engine, remote }, { nonce, assertion: { algorithm, ...rest } }) =>
      guarded(attempts, remote, () => {
        const assertion = algorithm === undefined ? rest : { ...rest, algorithm };
        return signInReply(engine, engine.finishLogin({ nonce, assertion }).person, "passkey", "cookie", session);
      }),
  } satisfies Partial<ServerHandlers>;
}

/** The origin of the page that asks, which the passkey is bound to. */
function pageOrigin(headers: Headers, origins: ReadonlySet<string>): { origin: string; rpId: string } {
  const origin = headers.get("origin");
  if (origin === null || !origins.has(origin))
    throw new HapError("origin_refused", "A passkey is made and used on this server's page, in a browser.", { origin });
  return { origin, rpId: new URL(origin).hostname };
}

type Material = { nonce: string; registration?: object; credential?: NewCredential };

/** The new key: an SSH key as it came, a passkey from what the browser registered. */
async function readMaterial(engine: HapEngine, { nonce, registration, credential }: Material): Promise<NewCredential> {
  const { statement, challenge } = engine.enrolmentBegun(nonce);
  if (statement.kind === "ssh") {
    if (credential !== undefined) return credential;
    throw new HapError("invalid_input", "An SSH key comes as `credential`, with the line of its public key file.", {
      field: "credential",
    });
  }
  if (registration === undefined || statement.origin === null || statement.rp_id === null)
    throw new HapError("invalid_input", "A passkey comes as `registration`, what the browser made.", { field: "registration" });
  const { origin, rp_id: rpId } = statement;
  return readRegistration(registration as RegistrationResponseJSON, { challenge, origin, rpId });
}
