// Grants and denials of people (D43): preview, make and end them. Agents have none of these.
import type { GrantInput, GrantPreview, GrantProposal, GrantUseView, GrantView } from "../../grant/grant.ts";
import type { Signature } from "../../schema/ticket.ts";
import type { EndGrantStatement, GrantStatement } from "../../statement.ts";
import { operation } from "../operation.ts";
import type { Shapes } from "../shapes.ts";

const own = { tag: "grants", who: "person" } as const;
const needs = (s: Shapes) => s.enum(["signature", "phrase"]).nullable();
const confirming = (s: Shapes) => ({ assertion: s.signature().optional(), phrase: s.text(200).optional() });

/** What confirms an act: a signature over its statement, or the phrase that was issued for it. */
type Confirmed = { nonce: string; assertion?: Signature; phrase?: string };

/** Operations of people on grants. */
export const grantOperations = {
  /** One grant, and its newest uses. */
  grant: operation({
    ...own,
    id: "getGrant",
    method: "GET",
    path: "/v1/grants/{id}",
    summary: "One grant, and its newest uses",
    output: (s) => s.json<GrantView & { journal: GrantUseView[] }>(),
    answer: "The grant, and its journal",
    call: (id: string) => ({ id }),
  }),
  /** What a grant would have answered among the newest tickets; writes nothing. */
  previewGrant: operation({
    ...own,
    id: "previewGrant",
    method: "POST",
    path: "/v1/grants/preview",
    summary: "What a grant would have answered among the last 200 tickets; writes nothing",
    input: (s) => s.grantInput(),
    needsBody: true,
    output: (s) => s.json<GrantPreview>(),
    answer: "The tickets that it would have answered, and how they really ended",
    call: (input: GrantInput) => input,
  }),
  /** Grants for what a ticket asks: the narrowest, and wider ones. */
  proposeGrant: operation({
    ...own,
    id: "proposeGrant",
    method: "POST",
    path: "/v1/tickets/{id}/grant",
    summary: "Grants for what a ticket asks: the narrowest that covers it, and wider ones; writes nothing",
    input: (s) =>
      s.object({
        seconds: s.int().min(1).nullable(),
        uses: s.int().min(1).nullish(),
        verdict: s.enum(["allow", "deny"]).optional(),
      }),
    output: (s) => s.json<GrantProposal>(),
    answer: "Inputs for `beginGrant`, each with a sentence that says what it does",
    call: (id: string, options: { seconds: number | null; uses?: number | null; verdict?: "allow" | "deny" }) => ({
      id,
      ...options,
    }),
  }),
  /** Fixes a grant and says what it needs: a signature, a typed phrase, or, for a denial, nothing. */
  beginGrant: operation({
    ...own,
    id: "beginGrant",
    method: "POST",
    path: "/v1/grants/begin",
    summary: "Begin to make a grant or a denial: what to sign, what it needs, and what it would have answered",
    input: (s) => s.grantInput(),
    needsBody: true,
    status: 201,
    output: (s) =>
      s.object({ ...s.signable<GrantStatement>(), needs: needs(s), words: s.string(), preview: s.json<GrantPreview>() }),
    answer: "What to sign; nothing counts yet",
    call: (input: GrantInput) => input,
  }),
  /** The phrase that puts a grant in force, or ends a denial: show it to the person alone, and send what they type. */
  issueGrantPhrase: operation({
    ...own,
    id: "issueGrantPhrase",
    method: "POST",
    path: "/v1/grants/phrase",
    summary: "The phrase that puts a grant in force, or ends a denial; for the page alone: a token gets the page's address",
    input: (s) => s.object({ nonce: s.text(60) }),
    status: 201,
    output: (s) => s.object({ phrase: s.string(), expires_at: s.string() }),
    answer: "The phrase, for one use by this person",
    call: (nonce: string) => ({ nonce }),
  }),
  /** Make the grant that was begun. */
  createGrant: operation({
    ...own,
    id: "createGrant",
    method: "POST",
    path: "/v1/grants",
    summary: "Make the grant that was begun, with a signature over its statement or the phrase that was issued for it",
    input: (s) => s.object({ nonce: s.text(60), ...confirming(s) }),
    maxBytes: 64 * 1024,
    status: 201,
    output: (s) => s.json<GrantView>(),
    answer: "The grant",
    call: (input: Confirmed) => input,
  }),
  /** Fixes the end of a grant; only that of a denial needs something. */
  beginGrantEnd: operation({
    ...own,
    id: "beginGrantEnd",
    method: "POST",
    path: "/v1/grants/{id}/ending",
    summary: "What it takes to end a grant: nothing, or, for a denial, a signature or a phrase",
    status: 201,
    output: (s) => s.object({ ...s.signable<EndGrantStatement>(), needs: needs(s) }),
    answer: "What to sign",
    call: (id: string) => ({ id }),
  }),
  /** End a grant for good. A denial is ended with what `beginGrantEnd` says that it needs. */
  endGrant: operation({
    ...own,
    id: "endGrant",
    method: "POST",
    path: "/v1/grants/{id}/end",
    summary: "End a grant for good; a denial with what its ending needs",
    input: (s) => s.object({ nonce: s.text(60).optional(), ...confirming(s) }),
    maxBytes: 64 * 1024,
    output: (s) => s.json<GrantView>(),
    answer: "The grant as it is then",
    call: (id: string, confirmed?: Confirmed) => ({ id, ...confirmed }),
  }),
};
