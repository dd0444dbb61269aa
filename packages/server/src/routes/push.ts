// Web Push: whether this server can call browsers, and which browsers a person wants to be called in.
import { HapError } from "@hap/protocol";
import * as z from "zod";
import { ALLOW_PRIVATE_PUSH } from "../push/send.ts";
import { type Route, route } from "../route.ts";
import { checkName, checkTarget } from "../webhooks/guard.ts";
import { text } from "./shapes.ts";

const tag = "push";

/** What the routes need from the server: its public key, or null when Web Push is not configured. */
export type PushContext = { publicKey: string | null; allowPrivate: boolean };

const endpoint = () => text(2000).meta({ description: "The browser's address at its push service, https" });

export const pushRoutes = ({ publicKey, allowPrivate }: PushContext): Route[] => [
  route({
    method: "get",
    path: "/v1/push",
    id: "pushState",
    tag,
    summary: "The key to subscribe a browser with, null where Web Push is not configured, and in how many browsers one is called",
    who: "person",
    answer: {
      status: 200,
      schema: z.object({ public_key: z.string().nullable(), browsers: z.int() }),
      description: "Web Push as it stands",
    },
    handle: ({ engine, person }) => ({
      body: { public_key: publicKey, browsers: engine.countPushSubscriptions(person.person) },
    }),
  }),
  route({
    method: "post",
    path: "/v1/push/subscriptions",
    id: "subscribePush",
    tag,
    summary: "Call this browser when a ticket waits, by a message that says so and nothing of what the ticket would do",
    who: "person",
    body: z.object({ endpoint: endpoint(), keys: z.object({ p256dh: text(200), auth: text(100) }) }),
    example: {
      endpoint: "https://push.example.org/send/4f1c",
      keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
    },
    answer: { status: 201, schema: z.object({ browsers: z.int() }), description: "In how many browsers one is called now" },
    handle: async ({ engine, body, person }) => {
      if (publicKey === null)
        throw new HapError(
          "invalid_input",
          "Web Push is not configured here. An operator makes keys with `hap push keys` and starts the server again.",
        );
      if (URL.canParse(body.endpoint)) {
        const url = new URL(body.endpoint);
        if (url.protocol !== "https:")
          throw new HapError("invalid_input", "endpoint must begin with https.", { field: "endpoint" });
        checkTarget(url, allowPrivate, ALLOW_PRIVATE_PUSH);
        await checkName(url, allowPrivate, ALLOW_PRIVATE_PUSH);
      }
      return { status: 201, body: engine.addPushSubscription(person.person, body, publicKey) };
    },
  }),
  route({
    method: "post",
    path: "/v1/push/subscriptions/remove",
    id: "unsubscribePush",
    tag,
    summary: "Call this browser no more; an address that is not one's own is passed over",
    who: "person",
    body: z.object({ endpoint: endpoint() }),
    answer: { status: 204, schema: null, description: "It is called no more" },
    handle: ({ engine, body, person }) => {
      if (URL.canParse(body.endpoint)) engine.removePushSubscription(person.person, new URL(body.endpoint).href);
      return new Response(null, { status: 204 });
    },
  }),
];
