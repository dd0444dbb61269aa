// Webhooks: where this server tells what happens, for owners.
import { once, TIERS } from "@hap/protocol";
import * as z from "zod";
import { type Route, route } from "../route.ts";
import { checkName, checkTarget } from "../webhooks/guard.ts";
import { erasureAnswer, erasureBody, given, text } from "./shapes.ts";

const tag = "webhooks";

const filterShape = once(() =>
  z.object({
    person: text(80).optional(),
    agent: text(80).optional(),
    kind: text(64).optional(),
    tier: z.enum(TIERS).optional(),
  }),
);
const webhookView = once(() =>
  z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    filter: filterShape(),
    created_by: z.string(),
    created_at: z.string(),
  }),
);
const newWebhook = once(() =>
  webhookView().extend({ secret: z.string().meta({ description: "Signs messages; shown this once" }) }),
);
const deadDelivery = once(() =>
  z.object({
    id: z.string(),
    webhook_id: z.string(),
    url: z.string(),
    type: z.string(),
    tries: z.int(),
    problem: z.string().nullable(),
    created_at: z.string(),
  }),
);

/** What the routes need from the server: whether private targets are allowed, and how to say that something waits. */
export type WebhookContext = { allowPrivate: boolean; wake: () => void };

export const webhookRoutes = ({ allowPrivate, wake }: WebhookContext): Route[] => [
  route({
    method: "post",
    path: "/v1/webhooks",
    id: "createWebhook",
    tag,
    summary: "Tell an address what happens from now on, signed as Standard Webhooks; the secret is shown once",
    who: "owner",
    body: z.object({
      url: text(2000),
      events: z.array(text(40)).max(20).optional().meta({ description: "Types of events; all when left out" }),
      filter: filterShape().optional(),
    }),
    example: {
      url: "https://chat.example.org/hooks/hap",
      events: ["ticket.create", "ticket.resolve"],
      filter: { tier: "critical" },
    },
    answer: { status: 201, schema: newWebhook(), description: "The webhook" },
    handle: async ({ engine, body, person }) => {
      if (URL.canParse(body.url)) {
        checkTarget(new URL(body.url), allowPrivate);
        await checkName(new URL(body.url), allowPrivate);
      }
      const made = engine.createWebhook(given(body), person.person);
      return { status: 201, body: made, headers: { "cache-control": "no-store" } };
    },
  }),
  route({
    method: "get",
    path: "/v1/webhooks",
    id: "listWebhooks",
    tag,
    summary: "Webhooks, oldest first, without their secrets",
    who: "owner",
    answer: { status: 200, schema: z.object({ webhooks: z.array(webhookView()) }), description: "Webhooks" },
    handle: ({ engine }) => ({ body: { webhooks: engine.listWebhooks() } }),
  }),
  route({
    method: "delete",
    path: "/v1/webhooks/{id}",
    id: "removeWebhook",
    tag,
    summary: "Tell an address nothing more; what waits for it is dropped",
    who: "owner",
    answer: { status: 200, schema: webhookView(), description: "The webhook as it was" },
    handle: ({ engine, params, person }) => ({ body: engine.removeWebhook(params.id as string, person.person) }),
  }),
  route({
    method: "post",
    path: "/v1/webhooks/{id}/erase",
    id: "eraseWebhook",
    tag,
    summary: "Delete the address of a webhook that was removed, for good",
    who: "owner",
    body: erasureBody(),
    bodyRequired: false,
    answer: erasureAnswer(),
    handle: async ({ person, params, body }) => ({
      body: { erased: await person.eraseWebhook(params.id as string, body.reason) },
    }),
  }),
  route({
    method: "post",
    path: "/v1/webhooks/{id}/test",
    id: "testWebhook",
    tag,
    summary: "Queue a message that says nothing, to see whether it arrives",
    who: "owner",
    answer: { status: 202, schema: z.object({ delivery_id: z.string() }), description: "It waits to be sent" },
    handle: ({ engine, params, person }) => {
      const queued = engine.testWebhook(params.id as string, person.person);
      wake();
      return { status: 202, body: queued };
    },
  }),
  route({
    method: "get",
    path: "/v1/dead-letters",
    id: "listDeadLetters",
    tag,
    summary: "Messages that were given up after about a day of tries, newest first",
    who: "owner",
    answer: { status: 200, schema: z.object({ dead: z.array(deadDelivery()) }), description: "Messages" },
    handle: ({ engine }) => ({ body: { dead: engine.deadDeliveries() } }),
  }),
  route({
    method: "post",
    path: "/v1/dead-letters/{id}/redeliver",
    id: "redeliver",
    tag,
    summary: "Try a message again, with all its tries anew",
    who: "owner",
    answer: { status: 202, schema: deadDelivery(), description: "It waits to be sent" },
    handle: ({ engine, params, person }) => {
      const queued = engine.redeliver(params.id as string, person.person);
      wake();
      return { status: 202, body: queued };
    },
  }),
];
