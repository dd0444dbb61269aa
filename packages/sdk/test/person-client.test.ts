// The person's client (D2, D8): it delivers what it shows of one's own, decides as one person, and looks after the store.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { confirmPolicy } from "../../../test/support/confirm-policy.ts";
import { type AgentClient, connectAgent, connectPerson, type PersonClient } from "../src/index.ts";
import { refused, sdkWorld, WAYS } from "./world.ts";

describe.each(WAYS)("over %s", (way) => {
  let made: ReturnType<typeof sdkWorld>;
  let agent: AgentClient;
  let person: PersonClient;

  beforeEach(async () => {
    made = sdkWorld({ over: way });
    agent = await made.agent();
    person = await made.person();
  });
  afterEach(() => made.remove());

  const ask = async (more = {}) => (await agent.createTicket({ to: "human:alex", ...more })).id;
  const states = async (ids: string[]) => Promise.all(ids.map(async (id) => (await person.getTicket(id)).state));

  describe("showing", () => {
    it("[TICKET-DELIVER-1, SDK-PERSON-1] a page of the inbox delivers that page and no more", async () => {
      const ids = [await ask(), await ask(), await ask()];
      const page = await person.inbox({ limit: 2 });
      expect(page.tickets.map(({ id, state }) => [id, state])).toEqual(ids.slice(0, 2).map((id) => [id, "DELIVERED"]));
      expect(await states(ids)).toEqual(["DELIVERED", "DELIVERED", "PENDING"]);
      expect((await person.inbox({ cursor: page.next as string })).tickets.map(({ id }) => id)).toEqual(ids.slice(2));
      expect(await states(ids)).toEqual(["DELIVERED", "DELIVERED", "DELIVERED"]);
    });

    it("[TICKET-DELIVER-1] a list delivers one's own on it, and never another's", async () => {
      const [mine, sams] = [await ask(), await ask({ to: "human:sam" })];
      const { tickets } = await person.list();
      expect(tickets.map(({ id, state }) => [id, state])).toEqual([
        [sams, "PENDING"],
        [mine, "DELIVERED"],
      ]);
      await person.list({ to: "human:sam" });
      await person.show(sams);
      await person.getTicket(sams);
      expect(await states([sams])).toEqual(["PENDING"]);
    });

    it("[TICKET-DELIVER-2, TICKET-ACK-1] a ticket delivers it and does not ack it; reading it does neither", async () => {
      const id = await ask();
      expect((await person.getTicket(id)).state).toBe("PENDING");
      expect(await person.show(id)).toMatchObject({ state: "DELIVERED", lease: { paused: false } });
      expect((await person.show(id)).state).toBe("DELIVERED");
      await agent.cancel(id);
      expect((await person.show(id)).state).toBe("CANCELED");
    });

    it("[EVENT-VIEW-1, CONTENT-HANDLE-1] history and events speak of people by name", async () => {
      const id = await ask({ summary: "hello" });
      await person.approve(id, "fine");
      const text = JSON.stringify([await person.history(id), await person.resolvedEvents()]);
      expect(text).toContain("human:alex");
      expect(text).toContain("fine");
      expect(text).not.toMatch(/human:[0-9a-hjkmnp-tv-z]{26}/);
    });
  });

  describe("deciding", () => {
    it("[SDK-PERSON-1, DECIDE-CHANGES-1] has every verb of a person", async () => {
      const results = [
        await person.ack(await ask(), "looking"),
        await person.ack(await ask(), undefined, { lapseSeconds: 5 }),
        await person.approve(await ask()),
        await person.reject(await ask()),
        await person.requestChanges(await ask()),
        await person.answer(await ask({ ask: { type: "text" } }), "words"),
        await person.cancel(await ask()),
        await person.extend(await ask(), 60),
        await person.snooze(await ask(), 60),
        await person.reassign(await ask(), "human:sam"),
        await person.note(await ask(), "hm"),
      ];
      expect(results.map(({ state }) => state)).toEqual([
        "ACKED",
        "ACKED",
        "APPROVED",
        "REJECTED",
        "CHANGES_REQUESTED",
        "ANSWERED",
        "CANCELED",
        "PENDING",
        "PENDING",
        "PENDING",
        "PENDING",
      ]);
      expect((await person.verify()).ok).toBe(true);
    });

    it("[DECIDE-WHO-1] is done as this person and nobody else, whatever the options say", async () => {
      const id = await ask({ to: "human:sam" });
      const options = { by: "human:sam", assurance: "session" } as Parameters<PersonClient["approve"]>[2];
      expect((await refused(person.approve(id, undefined, options))).code).toBe("not_addressee");
      const { artifact } = await person.getTicket(id);
      const intent = {
        ticket_id: id,
        from: "human:sam",
        decision: "approve",
        artifact_hash: artifact.diff_hash,
        expires_at: new Date(made.world.now() + 60_000).toISOString(),
        nonce: `n_${"1".repeat(32)}`,
        signature: null,
      };
      expect((await refused(person.submitIntent({ ...intent, from: "human:alex" }))).code).toBe("not_addressee");
      const sam = await made.person("human:sam");
      expect((await sam.submitIntent({ ...intent, from: "human:sam" })).resolution?.actor.id).toBe("human:sam");
    });

    it("[ASSURE-YES-1, ASSURE-RECORD-1] needs the confirmation for a critical yes, and records it", async () => {
      const id = await ask({ kind: "run_command", details: { command: "sudo reboot" } });
      expect((await refused(person.approve(id))).code).toBe("confirmation_needed");
      expect((await person.events({ ticket: id })).at(-1)?.type).toBe("intent.invalid");
      // What a client says of itself counts for nothing.
      const claimed = { confirmed: true } as object;
      expect((await refused(person.approve(id, undefined, claimed))).code).toBe("confirmation_needed");
      if (way === "a server") {
        expect(await refused(person.issuePhrase(id))).toMatchObject({
          code: "page_needed",
          message: expect.stringContaining(`/tickets/${id}`),
        });
        return;
      }
      const { phrase } = await person.issuePhrase(id);
      expect(phrase).toMatch(/^approve [a-z0-9._ -]+ [0-9a-z]{4}$/);
      expect((await person.approve(id, undefined, { phrase })).resolution).toMatchObject({
        confirmed: true,
        unproven: true,
        trust: "open",
      });
    });

    it("[STATEMENT-CHALLENGE-1] gives out what is to be signed", async () => {
      const id = await ask();
      const { statement, ticket } = await person.issueChallenge(id, { decision: "approve", comment: "ok" });
      expect(statement).toMatchObject({ typ: "hap.intent/1", ticket_id: id, decision: "approve" });
      expect(ticket.state).toBe("ACKED");
    });

    it("[ID-SHORT-1] takes what this person types: a short code at once, less of it for tickets delivered to them", async () => {
      const id = await ask();
      expect(await person.resolveId(id.slice(-6))).toEqual({ id, exact: false });
      expect((await refused(person.resolveId(id.slice(-5)))).code).toBe("ticket_not_found");
      await person.inbox();
      expect(await person.resolveId(id.slice(-5))).toEqual({ id, exact: false });
      expect(await person.resolveId(id.slice(-6))).toEqual({ id, exact: false });
      expect(await person.resolveId(id)).toEqual({ id, exact: true });
    });
  });

  describe("looking after the store", () => {
    it("[SDK-PERSON-1, POLICY-TRUST-1] confirms the policy that was seen, and checks what it would say", async () => {
      mkdirSync(join(made.folder, ".hap"));
      const rules = [{ id: "docs", match: { path: "docs/**" }, verdict: "allow", why: "harmless" }];
      writeFileSync(join(made.folder, ".hap", "policy.json"), JSON.stringify({ version: 1, rules }));
      const seen = await person.policy();
      expect(seen).toMatchObject({ trusted: false, path: join(made.folder, ".hap", "policy.json") });
      const other = `sha256:${"0".repeat(64)}`;
      expect((await refused(person.trustPolicy({ hash: other, phrase: "trust policy 0000" }))).message).toContain("has changed");
      expect((await person.checkPolicy({ file: "docs/a.md", project: "/srv/app" })).verdict.verdict).toBe("ask");
      expect((await refused(person.trustPolicy({ hash: seen.hash, phrase: "trust policy 0000" }))).code).toBe("phrase_wrong");
      // What a client says of itself counts for nothing, and a token is given no phrase.
      const claimed = { hash: seen.hash, confirmed: true } as unknown as { hash: string; phrase: string };
      expect((await refused(person.trustPolicy(claimed))).code).toMatch(/confirmation_needed|invalid_input/);
      if (way === "a server") {
        expect(await refused(person.issuePolicyPhrase({ hash: seen.hash }))).toMatchObject({ code: "page_needed" });
        expect((await person.policy()).trusted).toBe(false);
        return;
      }
      await confirmPolicy(person);
      expect((await person.checkPolicy({ file: "docs/a.md", project: "/srv/app" })).verdict).toMatchObject({
        verdict: "allow",
        rule: "docs",
      });
      expect((await person.policy()).trusted).toBe(true);
    });

    it("[RIGHTS-EXPORT-1, RIGHTS-DELETE-3] exports one's data, and deletes it with the phrase that the page or the terminal shows", async () => {
      const sam = await made.person("human:sam");
      await sam.approve(await ask({ to: "human:sam" }), "zebracomment");
      const data = await sam.exportPerson("human:sam");
      expect(data).toMatchObject({ person: "human:sam", comments: [{ text: "zebracomment" }] });
      // On the embedded store, whoever states who they are is the person whose store it is.
      if (way === "a server") expect((await refused(sam.exportPerson("human:alex"))).code).toBe("scope_missing");
      expect(await person.deletePerson("human:sam", { dry_run: true })).toMatchObject({ dry_run: true, mentions: [] });
      expect((await refused(person.deletePerson("human:sam", {}))).code).toBe("confirmation_needed");
      if (way === "a server") {
        expect(await refused(sam.issueDeletionPhrase("human:sam"))).toMatchObject({ code: "page_needed" });
        return;
      }
      const { phrase } = await sam.issueDeletionPhrase("human:sam");
      expect(await sam.deletePerson("human:sam", { phrase })).toMatchObject({ dry_run: false, erased: { texts: 2 } });
      expect(await person.verify()).toMatchObject({ ok: true });
      expect((await person.getTicket(data.tickets[0]?.id as string)).resolution).toMatchObject({
        actor: { id: data.handle },
        comment: "[erased]",
      });
    });

    it("[CONTENT-ERASE-1, SDK-PERSON-1] erases, verifies and follows", async () => {
      const id = await ask({ summary: "secret" });
      expect((await person.erase({ ticket: id, fields: ["summary"], reason: "leaked" })).erased).toHaveLength(1);
      expect(await person.verify()).toMatchObject({ ok: true });
      expect(await person.violation()).toBeNull();
      const stop = new AbortController();
      const seen: string[] = [];
      for await (const events of person.follow({ signal: stop.signal })) {
        seen.push(...events.map((event) => event.type).filter((type) => !/^(key|directory|session)\./.test(type)));
        stop.abort();
      }
      expect(seen).toEqual(["log.genesis", "ticket.create", "content.erased"]);
    });
  });
});

describe("connecting", () => {
  let made: ReturnType<typeof sdkWorld>;
  beforeEach(() => {
    made = sdkWorld();
  });

  const before = { ...process.env };
  afterEach(async () => {
    process.env = { ...before };
    await made.remove();
  });

  it("[SDK-OPEN-1, CLI-HUMAN-1] opens the store of HAP_DB_PATH, as HAP_HUMAN_ID and HAP_AGENT_ID", async () => {
    process.env = {
      ...before,
      HAP_DB_PATH: join(made.folder, "by-env", "hap.db"),
      HAP_HUMAN_ID: "human:env_person",
      HAP_AGENT_ID: "agent:env_agent",
    };
    const [one, two] = [await connectAgent({ home: made.folder }), await connectPerson({ home: made.folder })];
    expect([one.agent, two.person, two.place]).toEqual(["agent:env_agent", "human:env_person", process.env.HAP_DB_PATH]);
    await one.createTicket({ summary: "to the local person" });
    expect((await two.inbox()).tickets).toHaveLength(1);
    await one.close();
    await two.close();
  });

  it("[SDK-OPEN-1] opens ~/.hap/hap.db when nothing is said", async () => {
    process.env = { ...before, HAP_DB_PATH: "", HAP_AGENT_ID: "" };
    const client = await connectAgent({ home: made.folder });
    const looker = await connectPerson({ home: made.folder, person: "alex" });
    expect(client.agent).toBe("agent:local");
    expect(looker.place).toBe(join(made.folder, ".hap", "hap.db"));
    await client.close();
    await looker.close();
  });

  it("[SDK-OPEN-1] does not open the embedded store for somebody who names another place", async () => {
    process.env = { ...before, HAP_DB_PATH: "", HAP_DATABASE_URL: "postgres://hap@127.0.0.1:9/hap" };
    expect(await refused(connectAgent({ home: made.folder }))).toMatchObject({
      code: "store_unusable",
      message: expect.stringContaining("HAP_DATABASE_URL"),
    });
    expect(await refused(connectPerson({ home: made.folder }))).toMatchObject({
      code: "store_busy",
      message: expect.stringContaining("127.0.0.1:9"),
    });
    process.env = { ...before, HAP_URL: "http://127.0.0.1:9", HAP_LOGIN_FILE: join(made.folder, "login.json"), HAP_API_KEY: "" };
    expect(await refused(connectAgent())).toMatchObject({ code: "key_invalid", message: expect.stringContaining("HAP_API_KEY") });
    expect(await refused(connectPerson())).toMatchObject({ code: "login_needed", message: expect.stringContaining("hap login") });
    expect(await refused(connectAgent({ apiKey: "hap_x" }))).toMatchObject({
      code: "server_unreachable",
      message: expect.stringContaining("http://127.0.0.1:9"),
    });
    expect(await refused(connectAgent({ url: "ftp://hap.example", apiKey: "hap_x" }))).toMatchObject({ code: "invalid_input" });
  });

  it("[INPUT-IDS-1] refuses names that are none", async () => {
    expect((await refused(connectAgent({ home: made.folder, agent: "human:alex" }))).code).toBe("invalid_id");
    expect((await refused(connectPerson({ home: made.folder, person: "agent:ci" }))).code).toBe("invalid_id");
    expect((await refused(connectAgent({ home: made.folder, agent: "system:timeout" }))).code).toBe("invalid_id");
  });
});
