// One try to call one browser: a message encrypted for it alone (RFC 8291), sent to its push service and to nowhere else.
import { createHmac } from "node:crypto";
import { request as httpsRequest } from "node:https";
import { buildPushPayload } from "@block65/webcrypto-web-push";
import type { PushCall } from "@hap/core";
import { HapError } from "@hap/protocol";
import { checkTarget, guardedLookup } from "../webhooks/guard.ts";
import type { PushKeys } from "./keys.ts";

/** How a try ended: `gone` when the push service knows the browser no more, `later` when another try may help. */
export type PushTry = { result: "sent" } | { result: "gone" | "later" | "refused"; problem: string };

/** How to send. `base`: the path of the space, which the notification opens. */
export type PushOptions = { base?: string; keys: PushKeys; allowPrivate: boolean; timeoutMs: number; signal: AbortSignal };

/** What the operator says to let calls reach addresses that are not public. */
export const ALLOW_PRIVATE_PUSH = "--allow-private-push";

/** Try once; rejects only when the signal aborts. */
export async function pushOnce(call: PushCall, options: PushOptions): Promise<PushTry> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  try {
    return judge(await post(call, options, AbortSignal.any([limit, options.signal])));
  } catch (error) {
    options.signal.throwIfAborted();
    if (limit.aborted) return { result: "later", problem: `No answer within ${options.timeoutMs / 1000} seconds` };
    if (error instanceof HapError) return { result: "refused", problem: error.message };
    return { result: "later", problem: `No connection (${(error as NodeJS.ErrnoException).code ?? "unknown"})` };
  }
}

/**
 * What makes newer news of a ticket replace older ones at the push service, which reads it in clear text: a keyed digest of the ticket
 * and the browser, from which it learns neither the ticket's id nor that two browsers are told of the same ticket. 32 characters are
 * the most that RFC 8030 allows.
 */
function topicOf({ notice, subscription }: PushCall, privateKey: string): string {
  const key = createHmac("sha256", privateKey).update("hap push topic").digest();
  return createHmac("sha256", key).update(`${subscription.endpoint}\n${notice.ticket_id}`).digest("base64url").slice(0, 32);
}

async function post(call: PushCall, options: PushOptions, signal: AbortSignal): Promise<number> {
  const { subscription, notice, ttlSeconds } = call;
  const url = new URL(subscription.endpoint);
  checkTarget(url, options.allowPrivate, ALLOW_PRIVATE_PUSH);
  const urgent = notice.why === "last_minute" || notice.tier === "critical" || notice.priority === "critical";
  const { keys } = options;
  const { headers, body } = await buildPushPayload(
    {
      data: options.base ? { ...notice, base: options.base } : notice,
      // Undelivered news of a ticket are replaced by newer news of it.
      options: { ttl: ttlSeconds, urgency: urgent ? "high" : "normal", topic: topicOf(call, keys.privateKey) },
    },
    { ...subscription, expirationTime: null },
    { publicKey: keys.publicKey, privateKey: keys.privateKey, subject: keys.contact },
  );
  return new Promise((resolve, reject) => {
    // A connection of its own: a kept one would go where the name led before.
    const request = httpsRequest(url, {
      method: "POST",
      headers,
      agent: false,
      lookup: guardedLookup(options.allowPrivate, ALLOW_PRIVATE_PUSH),
      signal,
    });
    request.on("error", reject);
    request.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.end(body);
  });
}

function judge(status: number): PushTry {
  if (status >= 200 && status < 300) return { result: "sent" };
  const problem = `The push service answered ${status}`;
  if (status === 404 || status === 410) return { result: "gone", problem };
  return { result: status === 429 || status >= 500 ? "later" : "refused", problem };
}
