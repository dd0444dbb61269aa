// A signed intent over HTTP with any field changed, left out or of another kind: each is refused and logged, and none is read as a
// plain yes, for a critical ticket and for a routine one.
import { canonicalJson, type Json } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Authenticator } from "../../core/test/signing/authenticator.ts";
import { enrolPasskey } from "../../core/test/signing/enrol.ts";
import { type Caller, type Front, open, openFront } from "./front.ts";

let front: Front;
let person: Caller;
let authenticator: Authenticator;
beforeEach(async () => {
  // Time stands still, so that no challenge expires on a slow machine.
  front = await openFront({
    trustFacts: { owner: "hap", ownerCanLogIn: false, othersCanWrite: false, reached: "tls" },
  });
  authenticator = new Authenticator();
  enrolPasskey(front.engine, authenticator, { person: "human:alex" });
  person = front.as({ cookie: `hap=${front.engine.signIn("human:alex", "cookie", "passkey").secret}`, origin: front.url });
});
afterEach(() => front.close());

type Form = Record<string, Json>;
const CRITICAL = { kind: "run_command", details: { command: "sudo reboot" } };
const tickets: [string, Record<string, unknown>][] = [
  ["critical", CRITICAL],
  ["routine", {}],
];

/** A form that the server would take. */
async function signed(id: string): Promise<Form> {
  const { body } = await person("POST", `/v1/tickets/${id}/challenges`, { decision: "approve", comment: "signed" });
  const statement = body.statement as Form;
  const { ticket_id, artifact_hash, nonce, expires_at } = statement as Record<string, string>;
  const signature = authenticator.assert(statement as never) as unknown as Form;
  return {
    ticket_id,
    from: "human:alex",
    decision: "approve",
    artifact_hash,
    nonce,
    expires_at,
    comment: "signed",
    signature,
  } as Form;
}

/** The last character of a text exchanged, so that its shape stays. */
const turned = (text: string) => text.slice(0, -2) + (text.endsWith("00") ? "11" : "00");
const later = (ms: number) => new Date(front.world.now() + ms).toISOString();

/** Values that are never right where another one was signed. */
function wrongValues(value: Json): Json[] {
  const odd: Json[] = [null, "", 0, 1, true, [], {}, "x"];
  return typeof value === "string" ? [...odd, turned(value), value.toUpperCase(), ` ${value}`, [value]] : odd;
}

/** Every change of one field of a form. */
function* forgeries(form: Form): Generator<[string, Form]> {
  for (const [field, value] of Object.entries(form)) {
    const { [field]: _, ...without } = form;
    // The words are kept with the challenge; a form that leaves them out means those.
    if (field !== "comment") yield [`without ${field}`, without];
    // A signature of null is the unsigned form, which has its own test below.
    for (const wrong of wrongValues(value))
      if (canonicalJson(wrong) !== canonicalJson(value) && !(field === "signature" && wrong === null))
        yield [`${field} is ${JSON.stringify(wrong)}`, { ...form, [field]: wrong }];
  }
  const signature = form.signature as Form;
  for (const [field, value] of Object.entries(signature)) {
    const { [field]: _, ...without } = signature;
    yield [`signature without ${field}`, { ...form, signature: without }];
    for (const wrong of wrongValues(value))
      if (wrong !== value)
        yield [`signature.${field} is ${JSON.stringify(wrong)}`, { ...form, signature: { ...signature, [field]: wrong } }];
  }
  for (const algorithm of ["none", "HS256", "EdDSA", "RS256", "es256"])
    yield [`algorithm ${algorithm}`, { ...form, signature: { ...signature, algorithm } }];
  for (const decision of ["reject", "request_changes", "answer", "cancel", "APPROVE"]) yield [decision, { ...form, decision }];
  yield ["a zero artifact", { ...form, artifact_hash: `sha256:${"0".repeat(64)}` }];
  yield ["expired", { ...form, expires_at: later(-60_000) }];
  yield ["a far expiry", { ...form, expires_at: later(86_400_000) }];
  yield ["another person", { ...form, from: "human:sam" }];
  yield ["an unknown field", { ...form, confirmed: true }];
  yield ["a wrong phrase beside it", { ...form, comment: "changed", phrase: "approve production 0000" }];
  for (const field of Object.keys(form))
    if (field !== "decision" && field !== "comment")
      yield [`a plain yes with ${field}`, { decision: "approve", [field]: form[field] as Json }];
}

describe("[INTENT-FORGED-1] a signed intent over HTTP", () => {
  it.each(tickets)("for a %s ticket is refused with any field changed, and taken as it was signed", async (_tier, ticket) => {
    const agent = front.agent();
    let id = await open(agent, ticket);
    const other = await open(agent, ticket);
    const taken: string[] = [];
    const count = [...forgeries(await signed(id))].length;
    expect(count).toBeGreaterThan(100);
    for (let at = 0; at < count; at++) {
      // Each of a challenge of its own: a refusal may use it up.
      const [what, forged] = [...forgeries(await signed(id))][at] as [string, Form];
      const { status } = await person("POST", `/v1/tickets/${id}/intents`, forged);
      if (status < 400) {
        taken.push(what);
        id = await open(agent, ticket);
      }
    }
    expect(taken).toEqual([]);
    expect(front.engine.getTicket(id).resolution).toBeNull();
    // Twenty a minute are logged of one person.
    expect(front.engine.getEvents().filter(({ type }) => type === "intent.invalid")).toHaveLength(20);
    const good = await signed(id);
    expect((await person("POST", `/v1/tickets/${other}/intents`, good)).status).toBe(403);
    expect((await front.person("human:sam")("POST", `/v1/tickets/${id}/intents`, good)).status).toBeGreaterThanOrEqual(400);
    const fresh = await signed(id);
    expect(await person("POST", `/v1/tickets/${id}/intents`, fresh)).toMatchObject({
      status: 200,
      body: { state: "APPROVED", resolution: { assurance: "passkey" } },
    });
    expect((await person("POST", `/v1/tickets/${id}/intents`, fresh)).status).toBe(409);
    expect((await person("POST", `/v1/tickets/${other}/intents`, { ...fresh, ticket_id: other })).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(front.engine.getTicket(other).resolution).toBeNull();
    expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("without its words means those of its challenge", async () => {
    const id = await open(front.agent(), CRITICAL);
    const { comment: _, ...form } = await signed(id);
    const { body } = await person("POST", `/v1/tickets/${id}/intents`, form);
    expect(body).toMatchObject({ state: "APPROVED", resolution: { assurance: "passkey", comment: "signed" } });
  });

  it("without a signature is no more than the sign-in, and opens nothing critical", async () => {
    const [routine, critical] = [await open(front.agent()), await open(front.agent(), CRITICAL)];
    const submit = async (id: string) => person("POST", `/v1/tickets/${id}/intents`, { ...(await signed(id)), signature: null });
    expect((await submit(routine)).body).toMatchObject({ state: "APPROVED", resolution: { assurance: "session" } });
    expect(await submit(critical)).toMatchObject({ status: 403, body: { code: "signature_needed" } });
    expect(front.engine.getTicket(critical).resolution).toBeNull();
  });
});
