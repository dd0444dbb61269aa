// Who may read the metrics: this machine, or whoever has the token. They name people and routes, so not everybody.
import { createHash, timingSafeEqual } from "node:crypto";
import { HapError } from "@hap/protocol";
import type { RateLimit } from "../auth/rate-limit.ts";
import { isLoopback } from "../options.ts";

/** Refuse a reader who is neither on this machine nor has the token. Where a token is set, everybody needs it. */
export function refuseMetricsReader(
  request: Request,
  remote: string | null,
  token: string | undefined,
  attempts: RateLimit,
): void {
  if (token === undefined) {
    if (isFromHere(request, remote)) return;
    throw new HapError(
      "login_needed",
      "Metrics are for this machine only. Start the server with HAP_METRICS_TOKEN and send it as `Authorization: Bearer TOKEN`.",
    );
  }
  const address = remote ?? "unknown";
  attempts.check(address);
  const given = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (timingSafeEqual(digest(given), digest(token))) return;
  attempts.spend(address);
  throw new HapError("login_needed", "Metrics need the server's HAP_METRICS_TOKEN as `Authorization: Bearer TOKEN`.");
}

/** A proxy on this machine brings requests of others: its marks, or a name that is not loopback's, give them away. */
function isFromHere(request: Request, remote: string | null): boolean {
  const passedOn = ["forwarded", "x-forwarded-for", "x-real-ip", "via"].some((name) => request.headers.has(name));
  const { hostname } = new URL(request.url);
  const name = hostname.replace(/^\[|\]$/g, "");
  return !passedOn && isLoopback((remote ?? "").replace(/^::ffff:/, "")) && (isLoopback(name) || name === "hap.localhost");
}

/** Equal lengths, so that the comparison tells nothing by time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
