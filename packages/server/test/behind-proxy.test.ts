// A server behind a proxy: who calls, and leaving without being missed.
import { afterEach, expect, it } from "vitest";
import { type Front, openFront } from "./front.ts";

let front: Front;
afterEach(() => front.close());

/** Fail to sign in until it is refused; returns the number of tries that were taken. */
async function triesUntilLimited(from: string): Promise<number> {
  for (let tries = 0; tries < 30; tries++) {
    const headers = { authorization: "Bearer hap_wrong_secret", "x-forwarded-for": from };
    const { status } = await front.as(headers)("GET", "/v1/me");
    if (status === 429) return tries;
  }
  return 30;
}

it("failed attempts count for the caller behind a trusted proxy, not for the proxy [HTTP-PROXY-1]", async () => {
  front = await openFront({ trustedProxies: ["127.0.0.0/8", "::1", "10.1.0.0/16"] });
  expect(await triesUntilLimited("203.0.113.7")).toBeGreaterThan(0);
  expect(await triesUntilLimited("203.0.113.7")).toBe(0);
  // The caller can write anything to the left; only the last address that is not a proxy's counts.
  expect(await triesUntilLimited("198.51.100.1, 203.0.113.7, 10.1.2.3")).toBe(0);
  expect(await triesUntilLimited("203.0.113.8")).toBeGreaterThan(0);
});

it("without a trusted proxy the header is not believed [HTTP-PROXY-1]", async () => {
  front = await openFront();
  expect(await triesUntilLimited("203.0.113.7")).toBeGreaterThan(0);
  expect(await triesUntilLimited("203.0.113.8")).toBe(0);
});

it("refuses a proxy that is not an address [HTTP-PROXY-1]", async () => {
  front = await openFront();
  for (const wrong of ["proxy.example.org", "10.0.0.0/33", "10.0.0.0/x", ""])
    await expect(openFront({ trustedProxies: [wrong] })).rejects.toThrow("must be an IP address or a network");
});

it("keeps serving while it drains, and says that it is about to stop [HTTP-DRAIN-1]", async () => {
  front = await openFront({ drainMs: 600_000 });
  const person = front.person();
  const closing = front.server.close();
  expect(await front.anyone("GET", "/readyz")).toMatchObject({ status: 503, body: { status: "stopping" } });
  expect((await front.anyone("GET", "/healthz")).status).toBe(200);
  expect((await person("GET", "/v1/me")).status).toBe(200);
  // The second call, a second signal, ends the wait.
  await front.server.close();
  await closing;
  await expect(person("GET", "/v1/me")).rejects.toThrow("fetch failed");
});
