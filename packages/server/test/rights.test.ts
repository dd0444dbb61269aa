// Export and deletion over HTTP (draft 19.1), and the policy's phrase: on the page, for those who may, and never by a token or an agent.
import { personDataSchema, personDeletionSchema } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Caller, type Front, open, openFront } from "./front.ts";

let front: Front;
const alex = "human:alex";
const sam = "human:sam";

const pageOf = (person: string): Caller => {
  const { secret } = front.engine.signIn(person, "cookie", "code");
  return front.as({ cookie: `hap=${secret}`, origin: front.url });
};

beforeEach(async () => {
  front = await openFront();
  const id = await open(front.agent(), { to: sam, summary: "Ask Sam about it" });
  front.engine.approve(id, "zebracomment", { by: sam });
});
afterEach(() => front.close());

const data = (person: string) => `/v1/people/${person}/export`;
const deletion = (person: string) => `/v1/people/${person}/deletion`;

describe("a person's data over HTTP", () => {
  it("[RIGHTS-EXPORT-1] comes to that person and to owners, by cookie or token", async () => {
    for (const caller of [pageOf(sam), pageOf(alex), front.person(sam)]) {
      const { status, body } = await caller("POST", data(sam), {});
      expect(status).toBe(200);
      expect(personDataSchema().safeParse(body).success).toBe(true);
      expect(JSON.stringify(body)).toContain("zebracomment");
    }
  });

  it("[RIGHTS-AGENT-1] comes to no agent, to nobody else, and to nobody who is not signed in", async () => {
    for (const path of [data(sam), deletion(sam), `${deletion(sam)}/phrase`]) {
      const body = path === deletion(sam) ? { dry_run: true } : {};
      expect((await front.agent()("POST", path, body)).body.code).toBe("agent_cannot_decide");
      expect((await front.as({})("POST", path, body)).status).toBe(401);
      expect((await pageOf("human:kim")("POST", path, body)).body.code).toBe("scope_missing");
    }
    expect((await pageOf("human:kim")("POST", data(alex), {})).body.code).toBe("scope_missing");
    // A page of another origin cannot use the cookie.
    const { secret } = front.engine.signIn(sam, "cookie", "code");
    const foreign = front.as({ cookie: `hap=${secret}`, origin: "https://evil.example" });
    expect((await foreign("POST", data(sam), {})).body.code).toBe("origin_refused");
  });

  it("[RIGHTS-DELETE-1, RIGHTS-DELETE-3] is deleted on the page with the phrase that the server issued", async () => {
    const page = pageOf(sam);
    const plan = await page("POST", deletion(sam), { dry_run: true });
    expect(personDeletionSchema().safeParse(plan.body).success).toBe(true);
    expect(plan.body.mentions).toHaveLength(1);
    const { phrase } = (await page("POST", `${deletion(sam)}/phrase`, {})).body;
    expect(phrase).toMatch(/^delete human:sam [0-9a-z]{4}$/);
    const undecided = await page("POST", deletion(sam), { phrase });
    expect(undecided.body.code).toBe("confirmation_needed");
    const wrong = await page("POST", deletion(sam), { phrase: "delete human:sam 0000", mentions: "erase" });
    expect(wrong.body.code).toBe("phrase_wrong");
    const done = await page("POST", deletion(sam), { phrase, mentions: "erase" });
    expect(done).toMatchObject({ status: 200, body: { dry_run: false, erased: { sessions: 1 } } });
    expect((await page("GET", "/v1/me")).status).toBe(401);
    expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[RIGHTS-DELETE-3] is not deleted by a token, not even an owner's", async () => {
    for (const caller of [front.person(sam), front.person(alex)]) {
      const refused = await caller("POST", `${deletion(sam)}/phrase`, {});
      expect(refused).toMatchObject({ status: 403, body: { code: "page_needed", page: `${front.url}/settings` } });
      for (const claim of [{}, { confirmed: true }, { phrase: "delete human:sam 0000" }]) {
        const { body } = await caller("POST", deletion(sam), { mentions: "keep", ...claim });
        expect(body.code).toBe("phrase" in claim ? "phrase_wrong" : "confirmation_needed");
      }
    }
    expect(front.engine.people().map(({ person }) => person)).toContain(sam);
  });
});

describe("a policy over HTTP", () => {
  const text = JSON.stringify({ version: 1, rules: [{ id: "all", match: {}, verdict: "allow", why: "so" }] });

  it("[POLICY-TRUST-2] is not put in force by a token, whatever it claims", async () => {
    const token = front.person(alex);
    expect((await token("POST", "/v1/policy/phrase", { text })).body.code).toBe("page_needed");
    for (const claim of [
      { confirmed: true },
      { phrase: "trust policy 0000" },
      { phrase: "trust policy 0000", confirmed: true },
    ]) {
      const { status } = await token("POST", "/v1/policy", { text, replaces: null, ...claim });
      expect(status).toBeGreaterThanOrEqual(400);
    }
    expect(front.engine.getEvents({ limit: 1000 }).map(({ type }) => type)).not.toContain("policy.trust");
  });

  it("[POLICY-TRUST-2] is put in force on the page, with the phrase for exactly this text", async () => {
    const page = pageOf(alex);
    const other = (await page("POST", "/v1/policy/phrase", { text: text.replace("so", "no") })).body.phrase;
    expect((await page("POST", "/v1/policy", { text, replaces: null, phrase: other })).body.code).toBe("phrase_wrong");
    const { phrase } = (await page("POST", "/v1/policy/phrase", { text })).body;
    expect((await page("POST", "/v1/policy", { text, replaces: null, phrase })).status).toBe(200);
    expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
  });
});
