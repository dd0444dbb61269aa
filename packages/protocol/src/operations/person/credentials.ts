// Keys by which a person signs: passkeys made on the page, SSH keys from a terminal.
import type { NewCredential } from "../../credential.ts";
import type { Signature } from "../../schema/ticket.ts";
import type { EnrolStatement, RevokeStatement } from "../../statement.ts";
import { operation } from "../operation.ts";
import type { EnrolInput, NewEnrolment } from "../types.ts";

const own = { tag: "credentials", who: "person" } as const;

/** Operations of people on their signing keys. */
export const credentialOperations = {
  /** Your keys, oldest first, revoked ones too. */
  credentials: operation({
    ...own,
    id: "listCredentials",
    method: "GET",
    path: "/v1/credentials",
    summary: "Your keys, oldest first, revoked ones too",
    output: (s) => s.object({ credentials: s.array(s.credential()) }),
    answer: "Keys",
    call: () => ({}),
    give: "credentials",
  }),
  /** Issues the challenge to make a key with, and says what must vouch for it (D25). */
  beginEnrolment: operation({
    ...own,
    id: "beginEnrolment",
    method: "POST",
    path: "/v1/credentials/enrolment",
    summary: "Begin to add a key: the challenge to make it with, and what must vouch for it",
    input: (s) => s.object({ kind: s.credentialKind(), label: s.text(200).nullish() }),
    status: 201,
    output: (s) =>
      s.object({ ...s.signable<EnrolStatement>(), needs: s.enum(["code", "assertion"]), options: s.anyObject().nullable() }),
    answer: "What to sign; for a passkey also the options for the browser",
    call: (input: NewEnrolment) => input,
  }),
  /** Issues what an older key signs to vouch for a new one. */
  enrolmentChallenge: operation({
    ...own,
    id: "vouchForCredential",
    method: "POST",
    path: "/v1/credentials/vouch",
    summary: "What an older key signs to vouch for the new one",
    input: (s) => s.object(s.newCredential()),
    maxBytes: 64 * 1024,
    status: 201,
    output: (s) => s.object(s.signable<EnrolStatement>()),
    answer: "What to sign",
    call: (nonce: string, credential: NewCredential) => ({ nonce, credential }),
  }),
  /** Add a key: a first one by a typed code, a later one by an assertion of an older one. */
  enrolCredential: operation({
    ...own,
    id: "enrolCredential",
    method: "POST",
    path: "/v1/credentials",
    summary: "Add a key: a first one by the code typed from a terminal, a later one by an assertion of an older one",
    input: (s) => s.object({ ...s.newCredential(), code: s.text(40).optional(), assertion: s.signature().optional() }),
    maxBytes: 64 * 1024,
    status: 201,
    output: (s) => s.credential(),
    answer: "The key",
    call: (input: EnrolInput) => input,
  }),
  /** Issues what to sign to revoke a key; a revocation need not be signed. */
  beginRevocation: operation({
    ...own,
    id: "beginRevocation",
    method: "POST",
    path: "/v1/credentials/{id}/revocation",
    summary: "What to sign to revoke a key; a revocation need not be signed",
    status: 201,
    output: (s) => s.object(s.signable<RevokeStatement>()),
    answer: "What to sign",
    call: (id: string) => ({ id }),
  }),
  /** Revoke a key for good. */
  revokeCredential: operation({
    ...own,
    id: "revokeCredential",
    method: "POST",
    path: "/v1/credentials/{id}/revoke",
    summary: "Revoke a key for good",
    input: (s) => s.object({ nonce: s.text(60).optional(), assertion: s.signature().optional() }),
    output: (s) => s.credential(),
    answer: "The key as it is then",
    call: (id: string, signed?: { nonce: string; assertion: Signature }) => ({ id, ...signed }),
  }),
  /** Delete the label of a key for good; the key stays. */
  eraseCredential: operation({
    ...own,
    id: "eraseCredential",
    method: "POST",
    path: "/v1/credentials/{id}/erase",
    summary: "Delete the label of a key for good; the key stays as it is",
    input: (s) => s.object({ reason: s.comment() }),
    output: (s) => s.erased(),
    answer: "Which texts were erased",
    call: (id: string, reason?: string) => ({ id, reason }),
    give: "erased",
  }),
};
