// One try to deliver one message: a signed POST, no redirects, a limit on time, and nothing read of the answer but its status.
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { DueDelivery } from "@hap/core";
import { HapError } from "@hap/protocol";
import { checkTarget, guardedLookup } from "./guard.ts";
import { signedHeaders } from "./sign.ts";

/** How a try ended. `forGood` is for receivers and addresses that no further try will change. */
export type Try = { delivered: true } | { delivered: false; problem: string; forGood: boolean };

/** How to send. */
export type SendOptions = { allowPrivate: boolean; timeoutMs: number; version: string; now: () => number; signal: AbortSignal };

/** Try once. Rejects only when the signal aborts. */
export async function sendOnce(delivery: DueDelivery, options: SendOptions): Promise<Try> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  try {
    return judge(await post(delivery, options, AbortSignal.any([limit, options.signal])));
  } catch (error) {
    options.signal.throwIfAborted();
    if (limit.aborted) return failed(`No answer within ${options.timeoutMs / 1000} seconds`);
    if (error instanceof HapError) return { delivered: false, problem: error.message, forGood: true };
    return failed(`No connection (${(error as NodeJS.ErrnoException).code ?? "unknown"})`);
  }
}

function post({ id, body, webhook }: DueDelivery, options: SendOptions, signal: AbortSignal): Promise<number> {
  const url = new URL(webhook.url);
  checkTarget(url, options.allowPrivate);
  const headers = {
    ...signedHeaders(webhook.secret, id, Math.floor(options.now() / 1000), body),
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "user-agent": `hap/${options.version}`,
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    // A connection of its own: a kept one would go where the name led before.
    const request = send(url, { method: "POST", headers, agent: false, lookup: guardedLookup(options.allowPrivate), signal });
    request.on("error", reject);
    request.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.end(body);
  });
}

function judge(status: number): Try {
  if (status >= 200 && status < 300) return { delivered: true };
  // Gone is how a receiver says that it wants nothing more (Standard Webhooks).
  if (status === 410) return { delivered: false, problem: "The receiver is gone (410)", forGood: true };
  return failed(status >= 300 && status < 400 ? `Redirects are not followed (${status})` : `The receiver answered ${status}`);
}

function failed(problem: string): Try {
  return { delivered: false, problem, forGood: false };
}
