// Whom push and webhooks tell of a ticket with a quorum (D45): everybody who can vote on it, not its addressee alone.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { ALEX, deploy, KIM, LEE, policyText, putPolicy, SAM, TWO } from "./quorum.ts";
import { browser } from "./run-again/before.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let clock: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  clock = testWorld();
  engine = store.open({ world: clock, humanId: ALEX });
});
afterEach(() => store.remove());

/** The people called since the last look, with the reason. */
const called = () =>
  engine
    .takePushCalls("server")
    .calls.map(({ subscription, notice }) => `${new URL(subscription.endpoint).pathname.slice(1)} ${notice.why}`)
    .sort();

describe("push", () => {
  beforeEach(() => {
    for (const name of ["alex", "sam", "kim", "lee"]) engine.addPushSubscription(`human:${name}`, browser(name), "server");
  });

  it("[QUORUM-NOTICE-1] calls everybody who may vote, and in the last minute those who have not", () => {
    putPolicy(engine, policyText(TWO));
    const { id } = deploy(engine, { ttl_seconds: 600 });
    expect(called()).toEqual(["kim new", "lee new", "sam new"]);
    engine.approve(id, undefined, { by: SAM });
    expect(called()).toEqual([]);
    clock.advance(550_000);
    expect(called()).toEqual(["kim last_minute", "lee last_minute"]);
  });

  it("[QUORUM-NOTICE-1] calls the people of the next seat once the seat before has approved", () => {
    putPolicy(engine, policyText({ need: 2, of: [LEE, "group:platform-team"], order: "listed" }));
    const { id } = deploy(engine);
    expect(called()).toEqual(["lee new"]);
    engine.approve(id, undefined, { by: LEE });
    expect(called()).toEqual(["kim new", "sam new"]);
  });

  it("[QUORUM-NOTICE-1] does not call the requester where others must approve", () => {
    putPolicy(engine, policyText({ need: 1, of: ["role:owner", KIM], not_requester: true }));
    deploy(engine);
    expect(called()).toEqual(["kim new"]);
  });
});

it("[QUORUM-NOTICE-1] a webhook for one person hears of every ticket that this person may vote on", () => {
  putPolicy(engine, policyText(TWO));
  for (const person of [ALEX, SAM, KIM])
    engine.createWebhook({ url: `https://chat.example.org/${person}`, filter: { person } }, ALEX);
  deploy(engine);
  engine.queueDeliveries(() => null);
  const told = engine.takeDeliveries(new Map(), 5, 1000).map(({ webhook }) => webhook.url.split(":").at(-1));
  expect(told.sort()).toEqual(["kim", "sam"]);
});
