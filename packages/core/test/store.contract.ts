// What every store must do: one exported suite that each implementation runs (architecture, "two stores, one contract").
import { GENESIS_HASH, type LoggedTicket, makeRef } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CredentialRecord } from "../src/credentials/record.ts";
import { contentDigest } from "../src/log/contents.ts";
import type { EventRow, Store, StoreReader, StoreWriter } from "../src/store/store.ts";
import type { TicketRecord } from "../src/tickets/record.ts";
import type { DeliveryRecord, KeptWebhook } from "../src/webhooks/records.ts";

const alex = `human:${"a".repeat(26)}`;
const sam = `human:${"b".repeat(26)}`;
const at = "2026-01-31T10:00:00.000Z";

function event(seq: number): EventRow {
  return {
    seq,
    payload: `{"id":"evt_${String(seq).padStart(26, "0")}","seq":${seq},"ts":"${at}","type":"ticket.note"}`,
    prev_hash: GENESIS_HASH,
    hash: String(seq).padStart(64, "0"),
  };
}

function ticket(seq: number, change: Partial<TicketRecord> = {}, fixed: Partial<LoggedTicket> = {}): TicketRecord {
  const stored: LoggedTicket = {
    id: `tk_${String(seq).padStart(26, "x")}`,
    from: "agent:ci",
    to: alex,
    intent: {
      kind: "run_command",
      summary: `text:sha256:${"1".repeat(64)}`,
      details: `json:sha256:${"2".repeat(64)}`,
      confidence: null,
    },
    artifact: {
      type: "intent",
      body: null,
      opaque: false,
      diff_hash: `sha256:${"3".repeat(64)}`,
      bytes_hash: `sha256:${"3".repeat(64)}`,
      environment: null,
      repo: null,
      base_commit: null,
    },
    ask_type: "approval",
    allow_edits: false,
    ask: null,
    lease: { ttl_seconds: 60, on_timeout: "auto_reject", escalate: null },
    risk: 0.42,
    risk_claimed: null,
    risk_factors: { scope: 0.8, environment: 0.3, confidence: 0.5 },
    tier: "notable",
    effects: [],
    classifier: "shell/1",
    policy_hash: null,
    priority: "normal",
    project: null,
    session: null,
    created_at: at,
    ...fixed,
  };
  return {
    seq,
    lastSeq: seq,
    hash: "4".repeat(64),
    ticket: stored,
    state: "PENDING",
    to: stored.to,
    clock: { ttlMs: 60_000, deadline: 1000 + seq, remaining: null, lapseAt: null, addedMs: 0 },
    depth: 0,
    deliveredAt: null,
    snoozedUntil: null,
    renewedAt: null,
    resolution: null,
    consumed: null,
    heardAt: null,
    updatedAt: at,
    ...change,
  };
}

/** Run the suite; `open` gives another connection to the same, at first empty, store of the running test. */
export function storeContract(name: string, set: { open: () => Store; reset: () => void }): void {
  describe(`${name} as a store`, () => {
    let store: Store;
    const opened: Store[] = [];
    const connect = () => {
      const another = set.open();
      opened.push(another);
      return another;
    };
    const put = (...records: TicketRecord[]) =>
      store.write((tx) => {
        for (const record of records) tx.insertTicket(record);
      });

    beforeEach(() => {
      store = connect();
    });

    afterEach(() => {
      for (const one of opened.splice(0)) one.close();
      set.reset();
    });

    it("[EVENT-ATOMIC-1] undoes a transaction whole when it throws", () => {
      const failing = (tx: StoreWriter) => {
        tx.appendEvent(event(1), null);
        tx.insertTicket(ticket(1));
        tx.burnNonce("n_1", "tk_1", at);
        throw new Error("on purpose");
      };
      expect(() => store.write(failing)).toThrow("on purpose");
      expect(store.head()).toEqual({ seq: 0, hash: GENESIS_HASH });
      expect(store.ticketBySeq(1)).toBeUndefined();
      expect(store.nonceTicket("n_1")).toBeUndefined();
    });

    it("[EVENT-ATOMIC-1] undoes only the part that was attempted", () => {
      store.write((tx) => {
        tx.appendEvent(event(1), null);
        const failing = () => {
          tx.appendEvent(event(2), null);
          throw new Error("on purpose");
        };
        expect(() => tx.attempt(failing)).toThrow("on purpose");
        tx.attempt(() => tx.appendEvent({ ...event(2), hash: "f".repeat(64) }, null));
      });
      expect(store.head()).toEqual({ seq: 2, hash: "f".repeat(64) });
    });

    it("[ID-ORDER-1] takes each place in the log once, and gives events back as they were written", () => {
      store.write((tx) => {
        for (let seq = 1; seq <= 5; seq++) tx.appendEvent(event(seq), seq === 4 ? 2 : seq === 2 ? 1 : null);
      });
      expect(() => store.write((tx) => tx.appendEvent(event(3), null))).toThrow();
      expect(store.eventsAfter(1, 2)).toEqual([event(2), event(3)]);
      expect([...store.scanEvents(3)]).toEqual([
        { ...event(4), ticket_prev: 2 },
        { ...event(5), ticket_prev: null },
      ]);
      expect(store.eventAt(5)).toEqual(event(5));
      expect(store.eventAt(6)).toBeUndefined();
      expect(store.hashAt(2)).toBe(event(2).hash);
      expect(store.ticketEvents(4, 0)).toEqual([event(1), event(2), event(4)]);
      expect(store.ticketEvents(4, 1)).toEqual([event(2), event(4)]);
    });

    it("[EVENT-ATOMIC-1] shows a commit to other connections, and nothing before it", () => {
      const other = connect();
      store.write((tx) => {
        tx.appendEvent(event(1), null);
        expect(other.head().seq).toBe(0);
      });
      expect(other.head().seq).toBe(1);
      other.read(() => {
        expect(other.head().seq).toBe(1);
        store.write((tx) => tx.appendEvent(event(2), null));
        expect(other.head().seq).toBe(1);
      });
      expect(other.head().seq).toBe(2);
    });

    it("[EVENT-SHAPE-1] gives a ticket back exactly, whatever changed in it", () => {
      const before = ticket(
        1,
        {},
        {
          project: `prj_${"c".repeat(26)}`,
          session: "s-1",
          risk_claimed: 0.1,
          effects: ["network"],
          policy_hash: `sha256:${"5".repeat(64)}`,
        },
      );
      put(before);
      expect(store.ticketById(before.ticket.id)).toEqual(before);
      const after: TicketRecord = {
        ...before,
        lastSeq: 9,
        state: "APPROVED",
        to: sam,
        clock: { ttlMs: 60_000, deadline: null, remaining: 0, lapseAt: null, addedMs: 5 },
        depth: 2,
        deliveredAt: at,
        snoozedUntil: 7,
        renewedAt: 8,
        resolution: {
          outcome: "approved",
          actor: { kind: "human", id: sam },
          assurance: "local",
          confirmed: true,
          trust: "open",
          at,
          comment: null,
          answer: null,
          edits: null,
        },
        consumed: { by: "agent:ci", call_hash: `sha256:${"6".repeat(64)}`, at },
        heardAt: at,
        updatedAt: "2026-01-31T11:00:00.000Z",
      };
      store.write((tx) => tx.updateTicket(after));
      expect(store.ticketBySeq(1)).toEqual(after);
      const [scanned] = store.scanTickets();
      expect([scanned?.seq, scanned?.lastSeq, scanned?.wrongColumn()]).toEqual([after.seq, after.lastSeq, null]);
      expect(scanned?.record()).toEqual(after);
      expect([scanned?.holds(after), scanned?.holds({ ...after, depth: 9 })]).toEqual([true, false]);
      expect(store.countTickets()).toBe(1);
    });

    it("[TICKET-LIST-1] lists newest first by every filter, open and ended together, page by page", () => {
      put(
        ticket(1, { state: "APPROVED" }, { from: "agent:a" }),
        ticket(2, {}, { from: "agent:b", project: `prj_${"c".repeat(26)}` }),
        ticket(3, { to: sam, state: "EXPIRED" }, { to: sam, session: "s-1" }),
        ticket(
          4,
          { state: "ACKED" },
          { intent: { ...ticket(4).ticket.intent, kind: "deploy" }, tier: "critical", created_at: "2026-02-01T00:00:00.000Z" },
        ),
      );
      const seqs = (filter: Omit<Parameters<Store["listTickets"]>[0], "limit">, limit = 10) =>
        store.listTickets({ ...filter, limit }).map(({ seq }) => seq);
      expect(seqs({})).toEqual([4, 3, 2, 1]);
      expect(seqs({}, 2)).toEqual([4, 3]);
      expect(seqs({ beforeSeq: 3 })).toEqual([2, 1]);
      expect(seqs({ to: alex })).toEqual([4, 2, 1]);
      expect(seqs({ from: "agent:b" })).toEqual([2]);
      expect(seqs({ kind: "deploy" })).toEqual([4]);
      expect(seqs({ tier: "critical" })).toEqual([4]);
      expect(seqs({ session: "s-1" })).toEqual([3]);
      expect(seqs({ project: `prj_${"c".repeat(26)}` })).toEqual([2]);
      expect(seqs({ states: ["APPROVED", "PENDING"] })).toEqual([2, 1]);
      expect(seqs({ createdAfter: "2026-02-01T00:00:00.000Z" })).toEqual([4]);
      expect(seqs({ createdBefore: at })).toEqual([3, 2, 1]);
    });

    it("[TICKET-LIST-1] orders an inbox by priority and age, without what sleeps, is ended or is somebody else's", () => {
      put(
        ticket(1),
        ticket(2, {}, { priority: "high" }),
        ticket(3, { snoozedUntil: 500 }),
        ticket(4, { state: "REJECTED" }),
        ticket(5, { to: sam }, { to: sam }),
        ticket(6, {}, { priority: "critical" }),
        ticket(7),
      );
      const seqs = (after: TicketRecord | undefined, limit: number, now = 100) =>
        store.listInbox(alex, now, after, limit).map(({ seq }) => seq);
      expect(seqs(undefined, 10)).toEqual([6, 2, 1, 7]);
      expect(seqs(store.ticketBySeq(2), 10)).toEqual([1, 7]);
      expect(seqs(undefined, 10, 501)).toEqual([6, 2, 1, 3, 7]);
    });

    it("[ID-SHORT-1] finds tickets delivered to a person by both ends of their id", () => {
      put(
        ticket(1, { deliveredAt: at }, { id: "tk_abcdefghij0123456789klmnop" }),
        ticket(2, { deliveredAt: at }, { id: "tk_abczzzzzzz0123456789zzzzzz" }),
        ticket(3, {}, { id: "tk_notdelivered0123456789qqqq" }),
        ticket(4, { deliveredAt: at, to: sam }, { id: "tk_ofsam00000000000000000klmnop", to: sam }),
      );
      expect(store.matchIds("klmnop", alex)).toEqual(["tk_abcdefghij0123456789klmnop"]);
      expect(store.matchIds("nop", alex)).toEqual(["tk_abcdefghij0123456789klmnop"]);
      expect(store.matchIds("tk_abcd", alex)).toEqual(["tk_abcdefghij0123456789klmnop"]);
      expect(store.matchIds("abc", alex)).toHaveLength(2);
      expect(store.matchIds("notdeliv", alex)).toEqual([]);
      expect(store.matchIds("89qqqq", alex)).toEqual(["tk_notdelivered0123456789qqqq"]);
      expect(store.matchIds("qqqq", alex)).toEqual([]);
    });

    it("[LEASE-DUE-1] finds what is due, earliest first, and nothing that has ended", () => {
      put(
        ticket(3),
        ticket(1),
        ticket(2, { state: "CANCELED" }),
        ticket(4, { state: "ACKED", clock: { ttlMs: 1, deadline: null, remaining: 5, lapseAt: 1002, addedMs: 0 } }),
      );
      expect(store.nextDue()).toBe(1001);
      expect(store.anyDue(1000)).toBe(false);
      expect(store.anyDue(1001)).toBe(true);
      expect(store.due(1003, 10).map(({ seq }) => seq)).toEqual([1, 4, 3]);
      expect(store.due(1003, 1).map(({ seq }) => seq)).toEqual([1]);
    });

    it("[CONTENT-DIGEST-1] keeps texts with their salts until they are deleted", () => {
      const salt = Uint8Array.from({ length: 16 }, (_, at) => at * 17);
      const digest = contentDigest(salt, "grüße 日本");
      store.write((tx) => tx.putContent(1, makeRef("text", digest), salt, "grüße 日本"));
      expect(store.contents(1).get(`sha256:${digest}`)).toMatchObject({ body: "grüße 日本" });
      expect(Buffer.from(store.contents(1).get(`sha256:${digest}`)?.salt ?? [])).toEqual(Buffer.from(salt));
      expect(store.contents(2).size).toBe(0);
      const saltHex = Buffer.from(salt).toString("hex").toUpperCase();
      expect([...store.scanContents()]).toEqual([{ ticketSeq: 1, digest, salt: saltHex, body: "grüße 日本" }]);
      expect(contentDigest(saltHex, "grüße 日本")).toBe(digest);
      expect(store.write((tx) => tx.deleteContent(1, `sha256:${digest}`))).toBe(true);
      expect(store.write((tx) => tx.deleteContent(1, `sha256:${digest}`))).toBe(false);
      store.scrub();
    });

    it("[CONTENT-HANDLE-1] keeps one handle a name, both ways", () => {
      store.write((tx) => tx.putName({ handle: alex, name: "human:alex", created_at: at, seq: 1 }));
      expect(store.handleOf("human:alex")).toBe(alex);
      expect(store.nameOf(alex)).toBe("human:alex");
      expect(() => store.write((tx) => tx.putName({ handle: sam, name: "human:alex", created_at: at, seq: 1 }))).toThrow();
      store.write((tx) => tx.deleteName(alex));
      expect(store.handleOf("human:alex")).toBeUndefined();
    });

    it("[INTENT-NONCE-1] burns a nonce once, and gives a challenge out once", () => {
      store.write((tx) => tx.burnNonce("n_1", "tk_1", at));
      expect(store.nonceTicket("n_1")).toBe("tk_1");
      const used = (...pairs: [string, string][]) => store.notBurned(new Map(pairs));
      expect(used(["n_1", "tk_1"])).toEqual([]);
      expect(used(["n_1", "tk_2"], ["n_0", "tk_1"], ["__proto__", "tk_1"]).sort()).toEqual(["__proto__", "n_0", "n_1"]);
      expect(() => store.write((tx) => tx.burnNonce("n_1", "tk_2", at))).toThrow();
      store.write((tx) => tx.putChallenge("n_2", "tk_1", "{}", 5));
      expect(store.write((tx) => tx.takeChallenge("n_2"))).toEqual({ ticketId: "tk_1", intent: "{}", expires: 5 });
      expect(store.write((tx) => tx.takeChallenge("n_2"))).toBeUndefined();
    });

    it("[CODE-TRIES-1] keeps one code per purpose and person, and counts wrong tries against those that are open", () => {
      const code = { purpose: "login" as const, person: alex, salt: Buffer.from("s"), hash: Buffer.from("h"), wrong: 0 };
      store.write((tx) => tx.putCode({ ...code, expires: 10 }));
      store.write((tx) => tx.putCode({ ...code, expires: 20 }));
      store.write((tx) => tx.putCode({ ...code, person: sam, expires: 5 }));
      store.write((tx) => tx.putCode({ ...code, purpose: "enrol", expires: 20 }));
      expect(store.write((tx) => tx.countWrongCode("login", 5, 2))).toBe(1);
      expect(store.codes("login").map(({ person, expires, wrong }) => ({ person, expires, wrong }))).toEqual([
        { person: alex, expires: 20, wrong: 1 },
        { person: sam, expires: 5, wrong: 0 },
      ]);
      expect(Buffer.from(store.codes("login")[0]?.hash ?? []).toString()).toBe("h");
      expect(store.write((tx) => tx.countWrongCode("login", 5, 2))).toBe(0);
      expect(store.codes("login").map(({ person }) => person)).toEqual([sam]);
      store.write((tx) => tx.dropCode("login", sam));
      expect(store.codes("login")).toEqual([]);
      expect(store.codes("enrol")).toHaveLength(1);
    });

    it("[SIGN-COUNTER-1] keeps a credential's uses when what the log says of it is written again", () => {
      const key = (id: string, seq: number, person: string): CredentialRecord & { signCount: number } => ({
        ...{ id, seq, person, kind: "ssh", algorithm: "EdDSA", publicKey: "AAAA", label: null, rpId: null, origins: [] },
        ...{ transports: [], userVerification: false, trust: "open", createdAt: at, revokedAt: null, signCount: 3 },
      });
      store.write((tx) => tx.putCredential(key("b", 2, sam)));
      store.write((tx) => tx.putCredential(key("a", 3, alex)));
      expect(store.credentialById("b")).toEqual({ ...key("b", 2, sam), lastUsedAt: null });
      store.write((tx) => tx.useCredential("b", 9, at));
      store.write((tx) => tx.putCredential({ ...key("b", 2, sam), revokedAt: at }));
      expect(store.credentialById("b")).toEqual({ ...key("b", 2, sam), revokedAt: at, signCount: 9, lastUsedAt: at });
      expect(store.credentialsOf().map(({ id }) => id)).toEqual(["b", "a"]);
      expect(store.credentialsOf(alex).map(({ id }) => id)).toEqual(["a"]);
      expect(store.credentialById("c")).toBeUndefined();
    });

    it("[CRED-ENROL-2] keeps what was given out to be signed until it is used, or long past", () => {
      store.write((tx) => tx.putStatement("n_1", "{}", 5));
      store.write((tx) => tx.putStatement("n_2", "[]", 50));
      expect(() => store.write((tx) => tx.putStatement("n_1", "{}", 6))).toThrow();
      expect(store.statement("n_1")).toBe("{}");
      store.write((tx) => tx.dropStatements(6));
      expect([store.statement("n_1"), store.statement("n_2")]).toEqual([undefined, "[]"]);
      store.write((tx) => tx.dropStatement("n_2"));
      expect(store.statement("n_2")).toBeUndefined();
    });

    it("[INPUT-QUOTA-1] counts an agent's open tickets, and counts them anew from the rows", () => {
      expect(store.write((tx) => tx.countOpen("agent:ci", 1))).toBe(1);
      expect(store.write((tx) => tx.countOpen("agent:ci", 1))).toBe(2);
      expect(store.write((tx) => tx.countOpen("agent:ci", -1))).toBe(1);
      put(ticket(1), ticket(2), ticket(3, { state: "APPROVED" }));
      store.write((tx) => tx.recountOpen());
      expect(store.write((tx) => tx.countOpen("agent:ci", 1))).toBe(3);
    });

    it("[STORE-MIRROR-1] undoes a count together with the part that counted, and with no other", () => {
      store.write((tx) => {
        tx.attempt(() => tx.countOpen("agent:ci", 1));
        expect(() =>
          tx.attempt(() => {
            tx.countOpen("agent:ci", 1);
            throw new Error("no");
          }),
        ).toThrow("no");
        expect(tx.openTickets("agent:ci")).toBe(1);
      });
      expect(store.openTickets("agent:ci")).toBe(1);
      expect(() =>
        store.write((tx) => {
          tx.countOpen("agent:ci", 1);
          throw new Error("no");
        }),
      ).toThrow("no");
      expect(store.openTickets("agent:ci")).toBe(1);
    });

    it("[STORE-MIRROR-1] reads nothing of what was undone, whole or in part", () => {
      put(ticket(1));
      const ended = ticket(1, { state: "APPROVED" });
      const change = (tx: StoreWriter) => {
        tx.updateTicket(ended);
        tx.insertTicket(ticket(2), [{ ref: makeRef("text", "4".repeat(64)), salt: new Uint8Array(16), body: "words" }]);
        tx.appendEvent(event(1), null);
        tx.putName({ handle: alex, name: "human:alex", created_at: at, seq: 1 });
        tx.setConfig("violation", "bad");
        throw new Error("no");
      };
      const undone = (reader: StoreReader) => {
        expect(reader.ticketById(ended.ticket.id)?.state).toBe("PENDING");
        expect(reader.ticketById(ticket(2).ticket.id)).toBeUndefined();
        expect(reader.contents(2).size).toBe(0);
        expect([reader.head().seq, reader.hashAt(1), reader.nameOf(alex), reader.handleOf("human:alex")]).toEqual([
          0,
          "",
          undefined,
          undefined,
        ]);
        expect(reader.config("violation")).toBeUndefined();
      };
      store.write((tx) => {
        expect(() => tx.attempt(() => change(tx))).toThrow("no");
        undone(tx);
      });
      expect(() => store.write(change)).toThrow("no");
      undone(store);
    });

    it("[FAULT-CLOCK-1] remembers both clocks of a delivery", () => {
      store.write((tx) => tx.putAnchor(1, 10, 20));
      store.write((tx) => tx.putAnchor(1, 11, 21));
      expect(store.anchor(1)).toEqual({ wall: 11, uptime: 21 });
      expect(store.anchor(2)).toBeUndefined();
    });

    it("[HOOK-DURABLE-1] keeps webhooks, and messages for them by when they are due", () => {
      const webhook: KeptWebhook = {
        id: "whk_1",
        seq: 3,
        url: `text:sha256:${"a".repeat(64)}`,
        events: ["ticket.create"],
        filter: { person: null, agent: null, kind: null, tier: "critical" },
        secret: "whsec_AAAA",
        createdBy: alex,
        createdAt: "2026-01-31T10:00:00.000Z",
        removedAt: null,
      };
      const message = (id: string, change: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
        ...{ id, webhook: "whk_1", type: "ticket.create", body: "{}", dead: false, tries: 0 },
        ...{ nextAt: 10, createdAt: 5, problem: null, ...change },
      });
      store.write((tx) => {
        tx.putWebhook(webhook);
        for (const record of [message("b"), message("a", { nextAt: 20 }), message("c", { nextAt: 30 })]) tx.putDelivery(record);
        tx.putDelivery(message("d", { webhook: "whk_2" }));
      });
      expect(store.listWebhooks()).toEqual([webhook]);
      expect(store.dueDeliveries("whk_1", 20, 9).map(({ id }) => id)).toEqual(["b", "a"]);
      expect(store.dueDeliveries("whk_1", 99, 1)).toEqual([message("b")]);
      store.write((tx) => tx.putDelivery(message("b", { dead: true, tries: 12, problem: "gone" })));
      expect(store.delivery("b")).toEqual(message("b", { dead: true, tries: 12, problem: "gone" }));
      expect(store.deadDeliveries(9).map(({ id }) => id)).toEqual(["b"]);
      expect(store.countDeliveries()).toEqual({ waiting: 3, dead: 1 });
      store.write((tx) => tx.dropDeadDeliveries(5));
      expect(store.countDeliveries().dead).toBe(1);
      store.write((tx) => tx.dropDeadDeliveries(6));
      store.write((tx) => tx.dropDelivery("a"));
      expect(store.countDeliveries()).toEqual({ waiting: 2, dead: 0 });
      store.write((tx) => tx.putWebhook({ ...webhook, secret: "" }));
      expect(store.webhookById("whk_1")).toEqual(webhook);
      const removed = { ...webhook, removedAt: "2026-01-31T11:00:00.000Z", secret: "" };
      store.write((tx) => {
        tx.putWebhook(removed);
        tx.silenceWebhook("whk_1");
      });
      expect(store.listWebhooks()).toEqual([]);
      expect(store.webhookById("whk_1")).toEqual(removed);
      expect(store.countWebhooks()).toBe(1);
      expect(store.countDeliveries()).toEqual({ waiting: 1, dead: 0 });
    });

    it("[PUSH-OFF-1] keeps browsers to call by person, and forgets them one by one or with their person", () => {
      const browser = (endpoint: string, person: string, createdAt: number) => ({
        ...{ endpoint: `https://push.example.org/${endpoint}`, person, createdAt },
        ...{ p256dh: "point", auth: "secret", serverKey: "key" },
      });
      const [one, two, other] = [browser("b", alex, 2), browser("a", alex, 1), browser("c", sam, 3)] as const;
      store.write((tx) => {
        tx.putName({ handle: alex, name: "human:alex", created_at: at, seq: 1 });
        for (const record of [one, two, other]) tx.putPushSubscription(record);
      });
      expect(store.pushSubscriptions(alex)).toEqual([two, one]);
      store.write((tx) => tx.putPushSubscription({ ...one, person: sam, createdAt: 4 }));
      expect(store.pushSubscriptions()).toEqual([two, other, { ...one, person: sam, createdAt: 4 }]);
      store.write((tx) => tx.dropPushSubscriptions({ endpoint: other.endpoint }));
      expect(store.pushSubscriptions(sam)).toHaveLength(1);
      store.write((tx) => tx.deleteName(alex));
      expect(store.pushSubscriptions(alex)).toEqual([]);
      store.write((tx) => tx.dropPushSubscriptions({ person: sam }));
      expect(store.pushSubscriptions()).toEqual([]);
    });

    it("[METRICS-FEED-1] counts open tickets by state and priority, with the nearest deadline", () => {
      store.write((tx) => {
        tx.insertTicket(ticket(1));
        tx.insertTicket(ticket(2, {}, { priority: "high" }));
        tx.insertTicket(ticket(3, { state: "APPROVED" }));
      });
      const counts = store.openByPriority().map(({ state, priority, count }) => [state, priority, count]);
      expect(counts.sort()).toEqual([
        ["PENDING", "high", 1],
        ["PENDING", "normal", 1],
      ]);
    });

    it("[VERSION-FOLD-1] keeps settings until they are taken away", () => {
      store.write((tx) => tx.setConfig("key", "one"));
      store.write((tx) => tx.setConfig("key", "two"));
      expect(store.config("key")).toBe("two");
      store.write((tx) => tx.setConfig("key", null));
      expect(store.config("key")).toBeUndefined();
    });
  });
}
