// Sign-in links over HTTP, and the level that a sign-in has in each trust class (D3, D25).
import { afterEach, describe, expect, it } from "vitest";
import type { TrustFacts } from "../src/trust.ts";
import { type Front, open, openFront } from "./front.ts";

let front: Front;
afterEach(() => front.close());

const apart: TrustFacts = { owner: "hap", ownerCanLogIn: false, othersCanWrite: false, reached: "loopback" };

describe("[SIGN-IN-LINK-1] a sign-in link", () => {
  it("works once, for two minutes, and is not burned by guesses", async () => {
    front = await openFront();
    const { code } = front.engine.issueCode({ purpose: "link", person: "human:alex" });
    expect(code).toMatch(/^[\w-]{43}$/);
    const redeem = (secret: string) => front.anyone("POST", "/v1/login/link", { secret });
    for (let guess = 0; guess < 7; guess++) expect((await redeem("A".repeat(42) + guess)).body.code).toBe("code_wrong");
    expect(await redeem("short")).toMatchObject({ status: 400, body: { field: "secret" } });
    expect(await redeem(code)).toMatchObject({ status: 200, body: { person: "human:alex" } });
    expect((await redeem(code)).body.code).toBe("code_wrong");
    const late = front.engine.issueCode({ purpose: "link", person: "human:alex" });
    front.world.advance(120_000);
    expect(await redeem(late.code)).toMatchObject({ body: { code: "code_expired", detail: expect.stringContaining("--link") } });
  });

  it("is no code: neither opens what the other does, nor an enrolment", async () => {
    front = await openFront();
    const { code: secret } = front.engine.issueCode({ purpose: "link", person: "human:alex" });
    const { code } = front.engine.issueCode({ purpose: "login", person: "human:alex" });
    expect((await front.anyone("POST", "/v1/login/link", { secret: code })).status).toBe(400);
    expect((await front.anyone("POST", "/v1/login/code", { code: secret })).status).toBe(400);
    expect(() => front.engine.redeemCode(secret, "enrol")).toThrow();
  });
});

describe("[ASSURE-OPEN-1] a sign-in by link or code", () => {
  const decide = async () => {
    const { secret } = front.engine.signIn("human:alex", "cookie", "code");
    const page = front.as({ cookie: `hap=${secret}`, origin: front.url });
    const id = await open(front.agent());
    return (await page("POST", `/v1/tickets/${id}/intents`, { decision: "approve" })).body.resolution;
  };

  it("has level local in class open, and session in class apart", async () => {
    front = await openFront();
    expect(await decide()).toMatchObject({ assurance: "local", trust: "open" });
    await front.close();
    front = await openFront({ trustFacts: apart });
    expect(await decide()).toMatchObject({ assurance: "session", trust: "apart" });
  });

  it("enrols no first key without a typed code of its own", async () => {
    front = await openFront();
    const { secret } = front.engine.signIn("human:alex", "cookie", "code");
    const page = front.as({ cookie: `hap=${secret}`, origin: front.url });
    const begun = await page("POST", "/v1/credentials/enrolment", { kind: "ssh", label: "mine" });
    expect(begun.body.needs).toBe("code");
    const login = front.engine.issueCode({ purpose: "login", person: "human:alex" });
    const nonce = (begun.body.statement as { nonce: string }).nonce;
    const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl mine";
    const enrol = (code?: string) =>
      page("POST", "/v1/credentials", { nonce, credential: { kind: "ssh", public_key: publicKey }, ...(code ? { code } : {}) });
    expect((await enrol()).status).toBeGreaterThanOrEqual(400);
    expect((await enrol(login.code)).body.code).toBe("code_wrong");
  });
});

it("[IDENTITY-ONE-1] says how many tickets wait for whom, to those who may know", async () => {
  front = await openFront();
  await open(front.agent());
  await open(front.agent(), { to: "human:sam" });
  await open(front.agent(), { to: "human:sam" });
  const waiting = async (name: string) => (await front.person(name)("GET", "/v1/waiting")).body.waiting;
  expect(await waiting("human:alex")).toEqual([
    { person: "human:sam", tickets: 2 },
    { person: "human:alex", tickets: 1 },
  ]);
  expect(await waiting("human:sam")).toEqual([{ person: "human:sam", tickets: 2 }]);
  expect((await front.agent()("GET", "/v1/waiting")).status).toBe(403);
});
