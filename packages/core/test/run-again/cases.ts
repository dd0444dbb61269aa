// Every command of the engine, with what it needs before it and something else that touches the same rows.
import { generateKeyPairSync } from "node:crypto";
import type { HapEngine } from "../../src/index.ts";
import { savePolicy } from "../confirm-policy.ts";
import type { Act, Case, Made } from "./run-again.ts";
import type { ReplayedWorld } from "./suspending-store.ts";

const AGENT = "agent:ci";
const ALEX = "human:alex";
const SAM = "human:sam";
const CALL_HASH = `sha256:${"a".repeat(64)}`;
const SSH_LINE = sshLine();
const POLICY = JSON.stringify({
  version: 1,
  rules: [
    { id: "no-push", match: { kind: "push" }, verdict: "deny", why: "Nobody pushes." },
    { id: "ask-first", match: { kind: "deploy" }, verdict: "ask", why: "Deploys are asked about." },
  ],
});

function sshLine(): string {
  const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const text = (part: string | Buffer) => {
    const bytes = Buffer.from(part as string);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const blob = Buffer.concat([text("ssh-ed25519"), text(Buffer.from(x as string, "base64url"))]);
  return `ssh-ed25519 ${blob.toString("base64")} alex@laptop`;
}

const opened = (engine: HapEngine, more: Record<string, unknown> = {}) =>
  engine.createTicket({
    from: AGENT,
    to: ALEX,
    kind: "modify_file",
    summary: "Change a line",
    details: { file: "a.txt" },
    ...more,
  }).id;
const ticket = (engine: HapEngine): Made => ({ id: opened(engine) });
const question = (engine: HapEngine): Made => ({
  id: opened(engine, { ask: { type: "text", prompt: "Which one?" }, kind: "question" }),
});
const critical = (engine: HapEngine): Made => ({
  id: opened(engine, { kind: "run_command", details: { command: "rm -rf ~" } }),
});
const approved = (engine: HapEngine): Made => {
  const made = ticket(engine);
  engine.approve(made.id as string);
  return made;
};
const joined = (engine: HapEngine): Made => ({
  agent: engine.joinAgent({ agent_runtime: "claude_code", project_dir: "/work" }).agent,
});
const queued = (engine: HapEngine): Made => {
  const made = joined(engine);
  const agent = made.agent as string;
  const { id: message } = engine.queueMessage(agent, { text: "Use main" }, ALEX);
  return { ...made, message, id: opened(engine, { from: agent, kind: "question", ask: { type: "text", prompt: "Which?" } }) };
};
const key = (engine: HapEngine): Made => ({ key: engine.createKey({ agent: AGENT }, ALEX).id });
const credential = (engine: HapEngine): Made => {
  const { statement } = engine.beginEnrolment({ person: "alex", kind: "ssh", label: "Laptop" });
  const { code } = engine.issueCode({ purpose: "enrol", person: "alex" });
  return { id: engine.enrolCredential({ nonce: statement.nonce, credential: { public_key: SSH_LINE }, code }).id };
};
const enrolment = (engine: HapEngine): Made => {
  const { statement } = engine.beginEnrolment({ person: "alex", kind: "ssh", label: "Laptop" });
  return { nonce: statement.nonce, code: engine.issueCode({ purpose: "enrol", person: "alex" }).code };
};
const webhook = (engine: HapEngine): Made => ({ webhook: engine.createWebhook({ url: "https://example.com/hook" }, ALEX).id });
const delivery = (engine: HapEngine): Made => {
  const made = webhook(engine);
  return { ...made, delivery: engine.testWebhook(made.webhook as string, ALEX).delivery_id };
};
const signedIn = (engine: HapEngine): Made => ({ secret: engine.signIn(SAM, "cookie", "code").secret });
const linked = (engine: HapEngine): Made => {
  engine.linkSubject(SAM, "https://idp.example", "sub-1234", ALEX);
  return signedIn(engine);
};
const subscribed = (engine: HapEngine): Made => {
  engine.addPushSubscription(ALEX, browser("a"), "server");
  return ticket(engine);
};
const confirmed = (engine: HapEngine): Made => {
  const { hash } = savePolicy(engine, { text: POLICY, replaces: null });
  return { hash, phrase: engine.issuePolicyPhrase({ hash }).phrase };
};
const trusted: Act = (engine, made) => engine.trustPolicy({ hash: made.hash as string, phrase: made.phrase });

function browser(name: string) {
  const { x, y } = BROWSER;
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x as string, "base64url"), Buffer.from(y as string, "base64url")]);
  const auth = Buffer.alloc(16, 7).toString("base64url");
  return { endpoint: `https://push.example/${name}`, keys: { p256dh: point.toString("base64url"), auth } };
}
const BROWSER = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });

const id = (made: Made) => made.id as string;
const anotherTicket: Act = (engine) => opened(engine, { summary: "Another line", from: "agent:other" });
const rejected: Act = (engine, made) => engine.reject(id(made), "Not now");
const acked: Act = (engine, made) => engine.ack(id(made), "Looking");

/** Commands by name. */
export const CASES: Record<string, Case> = {
  createTicket: {
    before: ticket,
    run: (engine) => engine.createTicket({ from: AGENT, to: SAM, summary: "New", project: "/work" }),
    other: anotherTicket,
  },
  "createTicket of a known id": {
    before: (engine) => ({ id: opened(engine, { id: "tk_mine00000000000000000000000" }) }),
    run: (engine, made) => opened(engine, { id: id(made) }),
    other: rejected,
  },
  "createTicket that a rule forbids": {
    before: confirmed,
    run: (engine) => engine.createTicket({ from: AGENT, kind: "push", summary: "Push" }),
    other: anotherTicket,
  },
  "createTicket while a policy is confirmed": {
    before: (engine) => ({ ...confirmed(engine), id: opened(engine) }),
    run: (engine) => engine.createTicket({ from: AGENT, kind: "deploy", summary: "Deploy" }),
    other: trusted,
  },
  deliver: { before: ticket, run: (engine, made) => engine.deliver(id(made)), other: rejected },
  deliverShown: { before: ticket, run: (engine, made) => engine.deliverShown([id(made)], ALEX), other: acked },
  ack: { before: ticket, run: (engine, made) => engine.ack(id(made), "Wait", { lapseSeconds: 60 }), other: rejected },
  cancel: { before: ticket, run: (engine, made) => engine.cancel(id(made), "Changed my mind"), other: rejected },
  "cancel by a person": { before: ticket, run: (engine, made) => engine.cancel(id(made), "No", { by: ALEX }), other: acked },
  extend: { before: ticket, run: (engine, made) => engine.extend(id(made), 60), other: acked },
  renew: { before: ticket, run: (engine, made) => engine.renew(id(made), AGENT), other: acked },
  snooze: { before: ticket, run: (engine, made) => engine.snooze(id(made), 60), other: acked },
  reassign: { before: ticket, run: (engine, made) => engine.reassign(id(made), SAM), other: acked },
  note: { before: ticket, run: (engine, made) => engine.note(id(made), "By the way", ALEX), other: rejected },
  consume: {
    before: approved,
    run: (engine, made) => engine.consume(id(made), { by: AGENT, call_hash: CALL_HASH }),
    other: (engine, made) => engine.consume(id(made), { by: AGENT, call_hash: CALL_HASH }),
  },
  heard: {
    before: approved,
    run: (engine, made) => engine.heard(id(made), AGENT),
    other: (engine, made) => engine.heard(id(made), AGENT),
  },
  erase: { before: ticket, run: (engine, made) => engine.erase({ ticket: id(made), reason: "Private" }), other: acked },
  approve: { before: ticket, run: (engine, made) => engine.approve(id(made), "Fine"), other: rejected },
  "approve by somebody else": {
    before: ticket,
    run: (engine, made) => engine.approve(id(made), "Fine", { by: SAM }),
    other: acked,
  },
  "approve of a critical ticket": {
    before: (engine) => {
      const made = critical(engine);
      return { ...made, phrase: engine.issuePhrase(id(made)).phrase };
    },
    run: (engine, made) => engine.approve(id(made), undefined, { phrase: made.phrase as string }),
    other: acked,
  },
  "approve with a wrong phrase": {
    before: (engine) => {
      const made = critical(engine);
      engine.issuePhrase(id(made));
      return made;
    },
    run: (engine, made) => engine.approve(id(made), undefined, { phrase: "approve nothing at all" }),
    other: acked,
  },
  requestChanges: { before: ticket, run: (engine, made) => engine.requestChanges(id(made), "Shorter"), other: rejected },
  answer: { before: question, run: (engine, made) => engine.answer(id(made), "The first"), other: rejected },
  relayAnswer: { before: question, run: (engine, made) => engine.relayAnswer(id(made), "The first", AGENT), other: rejected },
  submitIntent: {
    before: (engine) => {
      const made = ticket(engine);
      const { statement } = engine.issueChallenge(id(made), { decision: "approve", by: ALEX });
      const { nonce, expires_at, artifact_hash } = statement;
      return { ...made, nonce, expires_at, artifact_hash };
    },
    run: (engine, { nonce, expires_at, artifact_hash, id: ticket_id }) =>
      engine.submitIntent({ ticket_id, from: ALEX, decision: "approve", artifact_hash, expires_at, nonce, signature: null }),
    other: rejected,
  },
  "submitIntent that cannot be read": {
    before: ticket,
    run: (engine, made) => engine.submitIntent({ ticket_id: id(made), from: ALEX }),
    other: acked,
  },
  issueChallenge: {
    before: ticket,
    run: (engine, made) => engine.issueChallenge(id(made), { decision: "approve", by: ALEX }),
    other: rejected,
  },
  issuePhrase: { before: critical, run: (engine, made) => engine.issuePhrase(id(made)), other: acked },
  decideByPolicy: {
    before: confirmed,
    run: (engine) => engine.decideByPolicy({ from: AGENT, kind: "push", summary: "Push" }, CALL_HASH),
    other: anotherTicket,
  },
  trustPolicy: { before: confirmed, run: trusted, other: anotherTicket },
  joinAgent: {
    before: joined,
    run: (engine) => engine.joinAgent({ agent_runtime: "claude_code", project_dir: "/work", resume: "unfinished" }),
    other: (engine, made) => engine.leaveAgent(made.agent as string, "Done"),
  },
  seenAgent: {
    before: joined,
    run: (engine, made) => engine.seenAgent(made.agent as string),
    other: (engine, made) => engine.leaveAgent(made.agent as string, "Done"),
    laterMs: 120_000,
  },
  leaveAgent: {
    before: queued,
    run: (engine, made) => engine.leaveAgent(made.agent as string, "Done"),
    other: (engine, made) => engine.answer(id(made), "This"),
  },
  cue: {
    before: queued,
    run: (engine, made) => opened(engine, { from: made.agent, kind: "question", ask: { type: "text", prompt: "Which?" } }),
    other: (engine, made) => engine.answer(id(made), "This"),
  },
  "cue of the same question": {
    before: queued,
    run: (engine, made) =>
      engine.cue({
        from: made.agent,
        to: ALEX,
        kind: "question",
        summary: "Change a line",
        details: { file: "a.txt" },
        ask: { type: "text", prompt: "Which?" },
      }),
    other: (engine, made) => engine.answer(id(made), "This"),
  },
  queueMessage: {
    before: joined,
    run: (engine, made) => engine.queueMessage(made.agent as string, { text: "Hello" }, SAM),
    other: (engine, made) => engine.queueMessage(made.agent as string, { text: "Me first" }, ALEX),
  },
  takeMessages: {
    before: queued,
    run: (engine, made) => engine.takeMessages(made.agent as string, [made.message as string], id(made)),
    other: (engine, made) => engine.answer(id(made), "This"),
  },
  eraseConversation: {
    before: queued,
    run: (engine, made) => engine.eraseConversation({ message: made.message as string }, ALEX),
    other: (engine, made) => engine.takeMessages(made.agent as string, [made.message as string], null),
  },
  signIn: {
    before: signedIn,
    run: (engine) => engine.signIn(SAM, "token", "code"),
    other: (engine) => engine.signOut({ person: SAM }),
  },
  signOut: {
    before: signedIn,
    run: (engine, made) => engine.signOut({ secret: made.secret as string }),
    other: (engine) => engine.signOut({ person: SAM }),
  },
  linkSubject: {
    before: ticket,
    run: (engine) => engine.linkSubject(SAM, "https://idp.example", "sub-1234", ALEX),
    other: (engine) => engine.linkSubject("human:kim", "https://idp.example", "sub-1234", ALEX),
  },
  claimPerson: {
    before: ticket,
    run: (engine) => engine.claimPerson(SAM, "https://idp.example", "sub-1234"),
    other: (engine) => engine.claimPerson(SAM, "https://idp.example", "sub-5678"),
  },
  unlinkSubject: {
    before: linked,
    run: (engine) => engine.unlinkSubject(SAM, "https://idp.example", "sub-1234", ALEX),
    other: (engine, made) => engine.signOut({ secret: made.secret as string }),
  },
  handleOf: { before: ticket, run: (engine) => engine.handleOf("human:new"), other: (engine) => engine.handleOf("human:other") },
  rememberMade: {
    before: ticket,
    run: (engine, made) => engine.rememberMade(AGENT, "key-1", "{}", id(made)),
    other: (engine, made) => engine.rememberMade(AGENT, "key-2", "{}", id(made)),
  },
  issueCode: {
    before: ticket,
    run: (engine) => engine.issueCode({ purpose: "login", person: "alex" }),
    other: (engine) => engine.issueCode({ purpose: "login", person: "sam" }),
  },
  redeemCode: {
    before: enrolment,
    run: (engine, made) => engine.redeemCode(made.code as string, "enrol"),
    other: (engine) => engine.issueCode({ purpose: "enrol", person: "sam" }),
  },
  "redeemCode of a wrong code": {
    before: enrolment,
    run: (engine) => engine.redeemCode("0000-0000", "enrol"),
    other: (engine) => engine.issueCode({ purpose: "enrol", person: "sam" }),
  },
  beginEnrolment: {
    before: ticket,
    run: (engine) => engine.beginEnrolment({ person: "alex", kind: "ssh", label: "Laptop" }),
    other: anotherTicket,
  },
  enrolCredential: {
    before: enrolment,
    run: (engine, { nonce, code }) =>
      engine.enrolCredential({ nonce: nonce as string, code, credential: { public_key: SSH_LINE } }),
    other: anotherTicket,
  },
  beginRevocation: {
    before: credential,
    run: (engine, made) => engine.beginRevocation({ person: "alex", id: id(made) }),
    other: anotherTicket,
  },
  revokeCredential: {
    before: credential,
    run: (engine, made) => engine.revokeCredential({ id: id(made), by: "alex" }),
    other: (engine, made) => engine.eraseCredential(id(made), "alex"),
  },
  eraseCredential: {
    before: credential,
    run: (engine, made) => engine.eraseCredential(id(made), "alex", "Private"),
    other: (engine, made) => engine.revokeCredential({ id: id(made), by: "alex" }),
  },
  beginLogin: {
    before: credential,
    run: (engine) => engine.beginLogin("alex"),
    other: (engine, made) => engine.revokeCredential({ id: id(made), by: "alex" }),
  },
  createKey: {
    before: key,
    run: (engine) => engine.createKey({ agent: "agent:new", expiresInSeconds: 60 }, ALEX),
    other: (engine, made) => engine.revokeKey(made.key as string, ALEX),
  },
  rotateKey: {
    before: key,
    run: (engine, made) => engine.rotateKey(made.key as string, ALEX),
    other: (engine, made) => engine.revokeKey(made.key as string, ALEX),
  },
  revokeKey: {
    before: key,
    run: (engine, made) => engine.revokeKey(made.key as string, ALEX),
    other: (engine, made) => engine.rotateKey(made.key as string, ALEX),
  },
  ownAgent: {
    before: joined,
    run: (engine, made) => engine.ownAgent(made.agent as string, AGENT),
    other: (engine, made) => engine.ownAgent(made.agent as string, "agent:other"),
  },
  createWebhook: {
    before: webhook,
    run: (engine) => engine.createWebhook({ url: "https://example.com/2", filter: { person: SAM } }, ALEX),
    other: (engine, made) => engine.removeWebhook(made.webhook as string, ALEX),
  },
  removeWebhook: {
    before: delivery,
    run: (engine, made) => engine.removeWebhook(made.webhook as string, ALEX),
    other: (engine, made) => engine.testWebhook(made.webhook as string, ALEX),
  },
  eraseWebhook: {
    before: (engine) => {
      const made = webhook(engine);
      engine.removeWebhook(made.webhook as string, ALEX);
      return made;
    },
    run: (engine, made) => engine.eraseWebhook(made.webhook as string, ALEX),
    other: anotherTicket,
  },
  testWebhook: {
    before: webhook,
    run: (engine, made) => engine.testWebhook(made.webhook as string, ALEX),
    other: (engine, made) => engine.removeWebhook(made.webhook as string, ALEX),
  },
  queueDeliveries: {
    before: (engine) => ({ ...webhook(engine), ...ticket(engine) }),
    run: (engine) => engine.queueDeliveries(() => null),
    other: (engine) => engine.queueDeliveries(() => null),
  },
  takeDeliveries: {
    before: delivery,
    run: (engine) => engine.takeDeliveries(new Map(), 5, 1000),
    other: (engine) => engine.takeDeliveries(new Map(), 5, 1000),
  },
  notDelivered: {
    before: delivery,
    run: (engine, made) => engine.notDelivered(made.delivery as string, "refused"),
    other: (engine, made) => engine.delivered(made.delivery as string),
  },
  notTried: {
    before: delivery,
    run: (engine, made) => engine.notTried(made.delivery as string),
    other: (engine, made) => engine.notDelivered(made.delivery as string, "refused"),
  },
  redeliver: {
    before: (engine) => {
      const made = delivery(engine);
      engine.notDelivered(made.delivery as string, "gone", true);
      return made;
    },
    run: (engine, made) => engine.redeliver(made.delivery as string, ALEX),
    other: (engine, made) => engine.removeWebhook(made.webhook as string, ALEX),
  },
  addPushSubscription: {
    before: subscribed,
    run: (engine) => engine.addPushSubscription(ALEX, browser("b"), "server"),
    other: (engine) => engine.addPushSubscription(ALEX, browser("c"), "server"),
  },
  removePushSubscription: {
    before: subscribed,
    run: (engine) => engine.removePushSubscription(ALEX, "https://push.example/a"),
    other: (engine) => engine.addPushSubscription(ALEX, browser("c"), "server"),
  },
  takePushCalls: {
    before: subscribed,
    run: (engine) => engine.takePushCalls("server"),
    other: (engine) => engine.takePushCalls("server"),
  },
  issueDeletionPhrase: { before: signedIn, run: (engine) => engine.issueDeletionPhrase(SAM, ALEX), other: anotherTicket },
  deletePerson: {
    before: (engine) => ({ ...signedIn(engine), phrase: engine.issueDeletionPhrase(SAM, ALEX).phrase }),
    run: (engine, made) => engine.deletePerson(SAM, ALEX, { phrase: made.phrase as string }),
    other: (engine) => engine.signOut({ person: SAM }),
  },
  applyDueLeases: {
    before: (engine, world: ReplayedWorld) => {
      const made = { id: opened(engine, { lease: { ttl_seconds: 60 } }), other: opened(engine, { lease: { ttl_seconds: 30 } }) };
      world.time += 10_000;
      engine.deliver(made.id);
      return made;
    },
    run: (engine, made) => engine.note(id(made), "Too late?", ALEX),
    other: anotherTicket,
    laterMs: 3_600_000,
  },
};
