// For owners: API keys of agents, people and their accounts, and webhooks.
import { KEY_SCOPES } from "../../constants.ts";
import type { NewWebhook } from "../../webhook.ts";
import { operation } from "../operation.ts";
import type { Shapes } from "../shapes.ts";
import type { NewKey } from "../types.ts";

const identity = { tag: "identity", who: "owner" } as const;
const webhooks = { tag: "webhooks", who: "owner" } as const;
const newKey = (s: Shapes) => s.apiKey().extend({ key: s.string().meta({ description: "The secret; it is shown this once" }) });
const account = (s: Shapes) => s.object({ issuer: s.text(300).min(1), subject: s.text(300).min(1) });

/** Operations of owners on who may come in, and on where events are sent. */
export const identityOperations = {
  /** An API key for an agent; its secret is in the answer and nowhere else. */
  createKey: operation({
    ...identity,
    id: "createKey",
    method: "POST",
    path: "/v1/keys",
    summary: "An API key for an agent; its secret is shown once",
    input: (s) =>
      s.object({
        agent: s.text(80),
        scopes: s.array(s.text(20)).min(1).max(KEY_SCOPES.length).optional(),
        expires_in_seconds: s.int().min(1).optional(),
      }),
    example: { agent: "agent:ci", scopes: ["create", "read_own"], expires_in_seconds: 2_592_000 },
    status: 201,
    output: newKey,
    answer: "The key",
    call: ({ scopes, ...input }: NewKey) => ({ ...input, scopes: scopes === undefined ? undefined : [...scopes] }),
  }),
  listKeys: operation({
    ...identity,
    id: "listKeys",
    method: "GET",
    path: "/v1/keys",
    summary: "API keys, newest first, without their secrets",
    output: (s) => s.object({ keys: s.array(s.apiKey()) }),
    answer: "Keys",
    call: () => ({}),
    give: "keys",
  }),
  /** A new secret with the same rights; the old one ends at once. */
  rotateKey: operation({
    ...identity,
    id: "rotateKey",
    method: "POST",
    path: "/v1/keys/{id}/rotate",
    summary: "A new secret with the same rights; the old one ends at once",
    status: 201,
    output: newKey,
    answer: "The new key",
    call: (id: string) => ({ id }),
  }),
  revokeKey: operation({
    ...identity,
    id: "revokeKey",
    method: "DELETE",
    path: "/v1/keys/{id}",
    summary: "Revoke a key",
    output: (s) => s.apiKey(),
    answer: "The key as it is then",
    call: (id: string) => ({ id }),
  }),
  people: operation({
    ...identity,
    id: "listPeople",
    method: "GET",
    path: "/v1/people",
    summary: "People in this log, their roles, and the accounts linked to them",
    output: (s) =>
      s.object({
        people: s.array(
          s.object({
            person: s.string(),
            role: s.role(),
            since: s.string(),
            subjects: s.array(s.object({ issuer: s.string(), subject: s.string() })),
          }),
        ),
      }),
    answer: "People",
    call: () => ({}),
    give: "people",
  }),
  /** Link an account at an identity provider to a person. */
  linkSubject: operation({
    ...identity,
    id: "linkSubject",
    method: "POST",
    path: "/v1/people/{person}/subjects",
    summary: "Link an account at an identity provider to a person",
    input: account,
    status: 204,
    answer: "Linked",
    call: (person: string, issuer: string, subject: string) => ({ person, issuer, subject }),
  }),
  /** Unlink an account; its person is signed out everywhere. */
  unlinkSubject: operation({
    ...identity,
    id: "unlinkSubject",
    method: "POST",
    path: "/v1/people/{person}/subjects/unlink",
    summary: "Unlink an account; its person is signed out everywhere",
    input: account,
    status: 204,
    answer: "Unlinked",
    call: (person: string, issuer: string, subject: string) => ({ person, issuer, subject }),
  }),
  /** From now on send events to this address; the secret is in the answer and nowhere else. */
  createWebhook: operation({
    ...webhooks,
    id: "createWebhook",
    method: "POST",
    path: "/v1/webhooks",
    summary: "Send events to an address from now on, signed as Standard Webhooks; the secret is shown once",
    input: (s) =>
      s.object({
        url: s.text(2000),
        events: s.array(s.text(40)).max(20).optional().meta({ description: "Types of events; all when left out" }),
        filter: s.webhookFilter().optional(),
      }),
    example: {
      url: "https://chat.example.org/hooks/hap",
      events: ["ticket.create", "ticket.resolve"],
      filter: { tier: "critical" },
    },
    status: 201,
    output: (s) => s.webhook({ secret: s.string().meta({ description: "Signs messages; shown this once" }) }),
    answer: "The webhook",
    call: (input: NewWebhook) => input as WebhookInput,
  }),
  listWebhooks: operation({
    ...webhooks,
    id: "listWebhooks",
    method: "GET",
    path: "/v1/webhooks",
    summary: "Webhooks, oldest first, without their secrets",
    output: (s) => s.object({ webhooks: s.array(s.webhook({})) }),
    answer: "Webhooks",
    call: () => ({}),
    give: "webhooks",
  }),
  /** Stop sending; what waits to be sent is dropped. */
  removeWebhook: operation({
    ...webhooks,
    id: "removeWebhook",
    method: "DELETE",
    path: "/v1/webhooks/{id}",
    summary: "Stop sending to an address; what waits to be sent is dropped",
    output: (s) => s.webhook({}),
    answer: "The webhook as it was",
    call: (id: string) => ({ id }),
  }),
  /** Delete the address of a webhook that was removed, for good. */
  eraseWebhook: operation({
    ...webhooks,
    id: "eraseWebhook",
    method: "POST",
    path: "/v1/webhooks/{id}/erase",
    summary: "Delete the address of a webhook that was removed, for good",
    input: (s) => s.object({ reason: s.comment() }),
    output: (s) => s.erased(),
    answer: "Which texts were erased",
    call: (id: string, reason?: string) => ({ id, reason }),
    give: "erased",
  }),
  /** Queue an empty message; a server sends it. */
  testWebhook: operation({
    ...webhooks,
    id: "testWebhook",
    method: "POST",
    path: "/v1/webhooks/{id}/test",
    summary: "Queue an empty message, to see whether it arrives",
    status: 202,
    output: (s) => s.object({ delivery_id: s.string() }),
    answer: "It waits to be sent",
    call: (id: string) => ({ id }),
  }),
  /** Messages that were given up, newest first. */
  deadLetters: operation({
    ...webhooks,
    id: "listDeadLetters",
    method: "GET",
    path: "/v1/dead-letters",
    summary: "Messages that were given up after about a day of tries, newest first",
    output: (s) => s.object({ dead: s.array(s.deadLetter()) }),
    answer: "Messages",
    call: () => ({}),
    give: "dead",
  }),
  /** Retry such a message from its first try. */
  redeliver: operation({
    ...webhooks,
    id: "redeliver",
    method: "POST",
    path: "/v1/dead-letters/{id}/redeliver",
    summary: "Retry a message from its first try",
    status: 202,
    output: (s) => s.deadLetter(),
    answer: "It waits to be sent",
    call: (id: string) => ({ id }),
  }),
};

/** What the body may hold; names of events and tiers are checked when it arrives. */
type WebhookInput = { url: string; events?: string[]; filter?: { tier?: "critical" | "notable" | "routine" } };
