import { afterEach, beforeEach, expect, it } from "vitest";
import { savePolicy } from "../../core/test/confirm-policy.ts";
import { type Front, open, openFront } from "./front.ts";

let front: Front;
beforeEach(async () => {
  front = await openFront();
});
afterEach(() => front.close());

it("[VERIFY-LAST-1] the last verification is kept with the store, whoever did it, and a server tells it", async () => {
  await open(front.agent());
  const alex = front.person();
  // The server verifies once by itself when it starts.
  await expect.poll(async () => (await alex("GET", "/v1/log")).body.last_verification).toMatchObject({ ok: true });
  const elsewhere = front.open({ world: front.world });
  elsewhere.verifyEventLog({ chainOnly: true });
  const { seq, hash } = elsewhere.head();
  const at = new Date(front.world.now()).toISOString();
  const found = { at, ok: true, events: seq, head: hash, problem: null };
  expect((await alex("GET", "/v1/log")).body.last_verification).toEqual({ ...found, chain_only: true });
  front.world.advance(5_000);
  expect((await alex("POST", "/v1/log/verify", {})).body.ok).toBe(true);
  const later = new Date(front.world.now()).toISOString();
  expect(front.open().lastVerification()).toEqual({ ...found, at: later, chain_only: false });
});

it("[VERIFY-LAST-1] a verification over the network is for owners and auditors", async () => {
  const roles = { owner: ["human:alex"], auditor: ["human:ada"], approver: ["human:ann"] };
  const text = JSON.stringify({ version: 1, roles });
  savePolicy(front.engine, { text, replaces: null, by: "human:alex" });
  const verify = async (name: string) => (await front.person(name)("POST", "/v1/log/verify", {})).status;
  expect([await verify("human:alex"), await verify("human:ada"), await verify("human:ann"), await verify("human:bob")]).toEqual([
    200, 200, 403, 403,
  ]);
});
