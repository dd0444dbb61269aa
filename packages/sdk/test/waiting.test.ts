// Waiting with the client: until the end, the timeout or the signal, and keeping the lease alive meanwhile (D15).
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentClient, PersonClient } from "../src/index.ts";
import { refused, sdkWorld, WAYS } from "./world.ts";

describe.each(WAYS)("over %s", (way) => {
  let made: ReturnType<typeof sdkWorld>;
  let agent: AgentClient;
  let person: PersonClient;

  beforeEach(async () => {
    made = sdkWorld({ over: way, real: true });
    agent = await made.agent();
    person = await made.person();
  });
  afterEach(() => made.remove());

  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  /** What was asked, once it was. */
  const asked = async () => {
    for (;;) {
      const [ticket] = (await person.inbox()).tickets;
      if (ticket !== undefined) return ticket;
      await sleep(10);
    }
  };
  const renewals = async (id: string) =>
    (await person.events({ ticket: id })).filter(({ payload }) => payload.type === "ticket.extend" && payload.by === "waiter");

  describe("waiting", () => {
    it("[ENGINE-WAIT-1, SDK-RESULT-1] ends with the decision of another client", async () => {
      const waiting = agent.requestApproval({ to: "human:alex", summary: "now" });
      await person.approve((await asked()).id, "yes");
      expect(await waiting).toMatchObject({ status: "approved", comment: "yes" });
    });

    it("[ENGINE-WAIT-1] ends at its timeout as open, and with its signal", async () => {
      const { id } = await agent.createTicket({ to: "human:alex" });
      expect((await agent.wait(id, { timeoutMs: 10 })).status).toBe("open");
      expect((await person.wait(id, { timeoutMs: 10 })).status).toBe("open");
      const stop = new AbortController();
      const waiting = refused(agent.wait(id, { signal: stop.signal, renew: true }));
      stop.abort(new Error("enough"));
      expect((await waiting).message).toBe("enough");
    });

    it("[ENGINE-WAIT-1] is told when its client is closed", async () => {
      const { id } = await agent.createTicket({ to: "human:alex" });
      const waiting = refused(agent.wait(id, { renew: true }));
      await agent.close();
      expect((await waiting).code).toBe("store_unusable");
    });

    it("[LEASE-WAITER-1] with renew keeps a ticket alive beyond its lease, at most once per half of it", async () => {
      const waiting = agent.ask({ to: "human:alex", ttl_seconds: 4, ask: { type: "confirm" } });
      const { id, created_at } = await asked();
      const beyond = Date.parse(created_at) + 4_500;
      while (Date.now() < beyond || (await renewals(id)).length < 2) await sleep(50);
      expect((await person.getTicket(id)).state).toBe("DELIVERED");
      const times = (await renewals(id)).map((event) => Date.parse(event.ts));
      for (const [index, time] of times.slice(1).entries()) expect(time - (times[index] as number)).toBeGreaterThanOrEqual(2_000);
      await person.answer(id, "yes");
      expect(await waiting).toMatchObject({ status: "answered" });
      const { length } = await renewals(id);
      await sleep(400);
      expect(await renewals(id)).toHaveLength(length);
    });

    it("[LEASE-WAITER-1] with renew saves a ticket that has little time left when the wait begins", async () => {
      const { id } = await agent.createTicket({ to: "human:alex", ttl_seconds: 6 });
      await sleep(3_500);
      const waiting = agent.wait(id, { renew: true, timeoutMs: 4_000 });
      expect((await waiting).status).toBe("open");
    });

    it("[LEASE-WAITER-1] without it leaves a lease to its end", async () => {
      const outcome = await agent.requestApproval({ to: "human:alex", ttl_seconds: 1 }, { timeoutMs: 10_000 });
      expect(outcome.status).toBe("expired");
    });
  });
});
