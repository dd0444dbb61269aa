// Where a server sends to: webhooks and browsers. Addresses are checked before anything is sent there.
import { HapError } from "@hap/protocol";
import { type PersonCaller, personHandlers } from "@hap/sdk/embedded";
import { ALLOW_PRIVATE_PUSH } from "../../push/send.ts";
import { checkName, checkTarget } from "../../webhooks/guard.ts";
import type { ServerHandlers } from "../entries.ts";

/** What sending needs from the server: which targets are allowed, how to wake the sender, and the key of Web Push or null. */
export type OutboundContext = {
  allowPrivateWebhooks: boolean;
  wake: () => void;
  publicKey: string | null;
  allowPrivatePush: boolean;
};

/** Handlers of webhooks and Web Push. */
export function outboundHandlers({ allowPrivateWebhooks, wake, publicKey, allowPrivatePush }: OutboundContext) {
  return {
    createWebhook: async ({ caller }, input) => {
      if (URL.canParse(input.url)) {
        const url = new URL(input.url);
        checkTarget(url, allowPrivateWebhooks);
        await checkName(url, allowPrivateWebhooks);
      }
      return personHandlers.createWebhook(caller as PersonCaller, input);
    },
    testWebhook: async ({ caller }, input) => {
      const queued = await personHandlers.testWebhook(caller as PersonCaller, input);
      wake();
      return queued;
    },
    redeliver: async ({ caller }, input) => {
      const queued = await personHandlers.redeliver(caller as PersonCaller, input);
      wake();
      return queued;
    },
    pushState: ({ engine, caller }) => ({
      public_key: publicKey,
      browsers: engine.countPushSubscriptions((caller as PersonCaller).person),
    }),
    subscribePush: async ({ engine, caller }, input) => {
      if (publicKey === null)
        throw new HapError(
          "invalid_input",
          "Web Push is not configured here. An operator makes keys with `hap push keys` and starts the server again.",
        );
      if (URL.canParse(input.endpoint)) {
        const url = new URL(input.endpoint);
        if (url.protocol !== "https:")
          throw new HapError("invalid_input", "endpoint must begin with https.", { field: "endpoint" });
        checkTarget(url, allowPrivatePush, ALLOW_PRIVATE_PUSH);
        await checkName(url, allowPrivatePush, ALLOW_PRIVATE_PUSH);
      }
      const { summary = false, ...subscription } = input;
      return engine.addPushSubscription((caller as PersonCaller).person, subscription, publicKey, { summary });
    },
    unsubscribePush: ({ engine, caller }, { endpoint }) => {
      if (URL.canParse(endpoint)) engine.removePushSubscription((caller as PersonCaller).person, new URL(endpoint).href);
      return undefined;
    },
  } satisfies Partial<ServerHandlers>;
}
