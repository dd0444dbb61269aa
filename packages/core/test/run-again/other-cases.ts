// All other commands, each with something else that touches the same rows.
import {
  AGENT,
  ALEX,
  anotherTicket,
  begunGrant,
  browser,
  CALL_HASH,
  credential,
  delivery,
  denied,
  enrolment,
  granted,
  INSTALL,
  id,
  joined,
  key,
  linked,
  opened,
  queued,
  SAM,
  SSH_LINE,
  signedIn,
  subscribed,
  ticket,
  webhook,
} from "./before.ts";
import type { Case } from "./run-again.ts";
import type { ReplayedWorld } from "./suspending-store.ts";

/** Commands by name. */
export const OTHER_CASES: Record<string, Case> = {
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
  listen: {
    before: queued,
    run: (engine, made) => engine.listen(id(made), made.agent as string, true),
    other: (engine, made) => engine.answer(id(made), "This"),
  },
  changeQueue: {
    before: queued,
    run: (engine, made) => engine.changeQueue(made.agent as string, { edit: made.message as string, text: "Use dev" }, ALEX),
    other: (engine, made) => engine.queueMessage(made.agent as string, { text: "And hurry" }, ALEX),
  },
  labelAgent: {
    before: joined,
    run: (engine, made) => engine.labelAgent(made.agent as string, { name: "Builder", group: "ci" }, ALEX),
    other: (engine, made) => engine.leaveAgent(made.agent as string, "Done"),
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
  beginGrant: {
    before: ticket,
    run: (engine) => engine.beginGrant({ agent: AGENT, commands: ["npm install *"], project: "/work", seconds: 60 }, ALEX),
    other: anotherTicket,
  },
  issueGrantPhrase: {
    before: begunGrant,
    run: (engine, made) => engine.issueGrantPhrase(made.nonce as string, ALEX),
    other: anotherTicket,
  },
  createGrant: {
    before: begunGrant,
    run: (engine, made) => engine.createGrant({ nonce: made.nonce as string, by: ALEX, phrase: made.phrase }),
    other: anotherTicket,
  },
  "createGrant with a wrong phrase": {
    before: begunGrant,
    run: (engine, made) => engine.createGrant({ nonce: made.nonce as string, by: ALEX, phrase: "allow everything" }),
    other: anotherTicket,
  },
  useGrant: {
    before: granted,
    run: (engine) => engine.useGrant(INSTALL, CALL_HASH),
    other: (engine) => engine.useGrant(INSTALL, CALL_HASH),
  },
  "useGrant that is ended meanwhile": {
    before: granted,
    run: (engine) => engine.useGrant(INSTALL, CALL_HASH),
    other: (engine, made) => engine.endGrant(made.grant as string, { by: ALEX }),
  },
  "decideByPolicy against a denial": {
    before: denied,
    run: (engine) => engine.decideByPolicy(INSTALL, CALL_HASH),
    other: anotherTicket,
  },
  beginGrantEnd: {
    before: denied,
    run: (engine, made) => engine.beginGrantEnd(made.grant as string, ALEX),
    other: anotherTicket,
  },
  endGrant: {
    before: denied,
    run: (engine, made) => engine.endGrant(made.grant as string, { by: ALEX, nonce: made.nonce as string, phrase: made.phrase }),
    other: (engine) => engine.decideByPolicy(INSTALL, CALL_HASH),
  },
  signIn: {
    before: signedIn,
    run: (engine) => engine.signIn(SAM, "token", "code"),
    other: (engine) => engine.signOut({ person: SAM }),
  },
  endSignIn: {
    before: (engine) => {
      const made = signedIn(engine);
      return { ...made, id: engine.listSignIns(SAM, made.secret as string)[0]?.id ?? "" };
    },
    run: (engine, made) => engine.endSignIn(SAM, made.id as string),
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
