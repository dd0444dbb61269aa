// The phrase over HTTP (D3): for the page's sign-in alone; a bearer token gets the page's address.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Caller, type Front, open, openFront } from "./front.ts";

let front: Front;
let page: Caller;
const critical = { kind: "run_command", details: { command: "sudo reboot" }, environment: "production" };

beforeEach(async () => {
  front = await openFront();
  const { secret } = front.engine.signIn("human:alex", "cookie", "code");
  page = front.as({ cookie: `hap=${secret}`, origin: front.url });
});
afterEach(() => front.close());

describe("a critical ticket over HTTP", () => {
  it("[ASSURE-PHRASE-4, ASSURE-LABEL-1] is approved on the page with the phrase that the server issued, and labelled", async () => {
    const id = await open(front.agent(), critical);
    const issued = await page("POST", `/v1/tickets/${id}/phrase`, {});
    expect(issued.status).toBe(201);
    expect(issued.body.phrase).toMatch(/^approve production [0-9a-z]{4}$/);
    const wrong = await page("POST", `/v1/tickets/${id}/intents`, { decision: "approve", phrase: "approve production" });
    expect(wrong.body.code).toBe("phrase_wrong");
    const decided = await page("POST", `/v1/tickets/${id}/intents`, { decision: "approve", phrase: issued.body.phrase });
    expect(decided.body.resolution).toMatchObject({ assurance: "local", confirmed: true, unproven: true });
    expect(front.engine.verifyEventLog().ok).toBe(true);
  });

  it("[ASSURE-PHRASE-6] is not approved by a token alone, whatever it claims; it gets the page's address", async () => {
    const id = await open(front.agent(), critical);
    const token = front.person();
    const refused = await token("POST", `/v1/tickets/${id}/phrase`, {});
    expect(refused).toMatchObject({ status: 403, body: { code: "page_needed", page: `${front.url}/tickets/${id}` } });
    expect(refused.body).not.toHaveProperty("phrase");
    for (const claim of [{}, { confirmed: true }, { confirmed: true, phrase: "approve production 0000" }]) {
      const { status, body } = await token("POST", `/v1/tickets/${id}/intents`, { decision: "approve", ...claim });
      expect([status, body.code]).toEqual([403, "phrase" in claim ? "phrase_wrong" : "confirmation_needed"]);
    }
    expect(front.engine.getTicket(id).resolution).toBeNull();
  });

  it("[ASSURE-PHRASE-6] has no phrase for an agent, and none for a person who may not see it", async () => {
    const id = await open(front.agent(), critical);
    expect((await front.agent()("POST", `/v1/tickets/${id}/phrase`, {})).status).toBe(403);
    const { secret } = front.engine.signIn("human:sam", "cookie", "code");
    const sam = front.as({ cookie: `hap=${secret}`, origin: front.url });
    expect((await sam("POST", `/v1/tickets/${id}/phrase`, {})).status).toBe(404);
  });
});
