// What people do beside deciding, on an engine: log, policy, conversations, keys, people and webhooks.
import { HapError, isHapError, type QueueChange, type Sent } from "@hap/protocol";
import type {
  conversationOperations,
  credentialOperations,
  grantOperations,
  identityOperations,
  logOperations,
  personOperations,
  rightsOperations,
} from "@hap/protocol/operations/person";
import { assertMayRead, type PersonCaller } from "../caller.ts";
import { decisionHandlers } from "./decisions.ts";
import { agentHidden, eitherHandlers } from "./either.ts";
import type { Handlers } from "./handlers.ts";
import { sampleHandlers } from "./sample.ts";

const DAY_MS = 86_400_000;

const logHandlers: Handlers<typeof logOperations, PersonCaller> = {
  logHealth: ({ engine }) => ({
    ...engine.head(),
    trust: engine.trust,
    violation: engine.violation(),
    last_verification: engine.lastVerification(),
  }),
  verify: ({ engine }, { chain_only }) => engine.verifyEventLog({ chainOnly: chain_only === true }),
  waiting: ({ engine, person, readsAll }) => ({
    waiting: engine.waiting().filter((found) => readsAll || found.person === person),
  }),
  insights: ({ engine, readsAll }, { days = 7 }) => {
    if (!readsAll) throw new HapError("scope_missing", "Insights are for owners, approvers and auditors.");
    return engine.insights(Date.now() - days * DAY_MS);
  },
  counts: (caller, { by, awake, ...query }) =>
    caller.engine.countTickets(caller.readsAll ? query : { ...query, to: caller.person }, by, awake),
  policy: ({ engine }, { or_none: orNone }) => {
    try {
      const { path, hash, trusted, text } = engine.userPolicyStatus();
      return { path, hash, trusted, text };
    } catch (error) {
      if (orNone !== true || !isHapError(error) || error.code !== "invalid_policy") throw error;
      return { path: String(error.fields.path ?? ""), hash: "", trusted: true, text: "" };
    }
  },
  policyVersions: ({ engine }) => ({ versions: engine.policyVersions() }),
  policyVersion: ({ engine }, { hash }) => engine.policyVersion(hash),
  trustPolicy: ({ engine, person }, input) => engine.trustPolicy({ ...input, by: person }),
  savePolicy: ({ engine, person }, input) => engine.savePolicy({ ...input, by: person }),
  issuePolicyPhrase: ({ engine, person: by }, { text, hash = "" }) =>
    engine.issuePolicyPhrase(text === undefined ? { hash, by } : { text, by }),
  previewPolicy: ({ engine }, { text }) => engine.previewPolicy(text),
  testPolicy: ({ engine }, { text, cases }) => ({ results: engine.testPolicy(text, cases) }),
  checkPolicy: async ({ engine }, input) => engine.checkPolicy(await engine.prepareTicket(input)),
};

const conversationHandlers: Handlers<typeof conversationOperations, PersonCaller> = {
  conversation: ({ engine, person, readsAll }, { agent, limit }) => {
    const found = engine.conversation(agent, limit);
    if (readsAll) return found;
    const tickets = found.tickets.filter(({ to }) => to === person);
    const messages = found.messages.filter(({ from }) => from === person);
    if (tickets.length === 0 && messages.length === 0 && found.tickets.length + found.messages.length > 0)
      throw agentHidden(agent);
    return { ...found, tickets, messages };
  },
  queue: ({ engine, person }, { agent, text, attachments }) => {
    const files = attachments?.map(({ data, ...about }) => ({ ...about, data: Buffer.from(data, "base64") }));
    return engine.later(() => engine.queueMessage(agent, { text, attachments: files }, person));
  },
  changeQueue: async ({ engine, person }, { agent, ...change }) => ({
    messages: await engine.later(() => engine.changeQueue(agent, queueChange(change), person)),
  }),
  labelAgent: ({ engine, person }, { agent, ...label }) => engine.later(() => engine.labelAgent(agent, label, person)),
  broadcast: async (caller, { agents, text }) => ({
    sent: await Promise.all(agents.map((agent) => caller.engine.later(() => answerOrQueue(caller, agent, text)))),
  }),
  eraseConversation: ({ engine, person }, { message, agent = "", reason }) => ({
    erased: engine.eraseConversation(message === undefined ? { agent } : { message }, person, reason),
  }),
};

const credentialHandlers: Handlers<typeof credentialOperations, PersonCaller> = {
  credentials: ({ engine, person }) => ({ credentials: engine.credentials({ person }) }),
  beginEnrolment: ({ engine, person }, input) => ({ ...engine.beginEnrolment({ ...input, person }), options: null }),
  enrolmentChallenge: ({ engine }, { nonce, credential }) => engine.enrolmentChallenge(nonce, stated(credential)),
  enrolCredential: ({ engine, person }, { registration: _browsers, credential, ...input }) =>
    engine.enrolCredential({ ...input, credential: stated(credential), person }),
  beginRevocation: ({ engine, person }, { id }) => engine.beginRevocation({ id, person }),
  revokeCredential: ({ engine, person }, { id, nonce, assertion }) =>
    engine.revokeCredential({ id, by: person, ...(nonce === undefined || assertion === undefined ? {} : { nonce, assertion }) }),
  eraseCredential: ({ engine, person }, { id, reason }) => ({ erased: engine.eraseCredential(id, person, reason) }),
};

const identityHandlers: Handlers<typeof identityOperations, PersonCaller> = {
  createKey: ({ engine, person }, { agent, scopes, expires_in_seconds: expiresInSeconds }) =>
    engine.createKey({ agent, scopes, expiresInSeconds }, person),
  listKeys: ({ engine }) => ({ keys: engine.listKeys() }),
  rotateKey: ({ engine, person }, { id }) => engine.rotateKey(id, person),
  revokeKey: ({ engine, person }, { id }) => engine.revokeKey(id, person),
  people: ({ engine }) => ({ people: engine.people() }),
  linkSubject: ({ engine, person: by }, { person, issuer, subject }) => {
    engine.linkSubject(person, issuer, subject, by);
    return undefined;
  },
  unlinkSubject: ({ engine, person: by }, { person, issuer, subject }) => {
    engine.unlinkSubject(person, issuer, subject, by);
    return undefined;
  },
  createWebhook: ({ engine, person }, input) => engine.createWebhook(input, person),
  listWebhooks: ({ engine }) => ({ webhooks: engine.listWebhooks() }),
  removeWebhook: ({ engine, person }, { id }) => engine.removeWebhook(id, person),
  eraseWebhook: ({ engine, person }, { id, reason }) => ({ erased: engine.eraseWebhook(id, person, reason) }),
  testWebhook: ({ engine, person }, { id }) => engine.testWebhook(id, person),
  deadLetters: ({ engine }) => ({ dead: engine.deadDeliveries() }),
  redeliver: ({ engine, person }, { id }) => engine.redeliver(id, person),
};

const grantHandlers: Handlers<typeof grantOperations, PersonCaller> = {
  grant: ({ engine, person, readsAll }, { id }) => {
    const found = engine.grant(id);
    if (readsAll || found.person === person) return found;
    throw new HapError("grant_not_found", `There is no grant ${id.slice(0, 40)} of yours.`, { grant_id: id });
  },
  previewGrant: ({ engine }, input) => engine.previewGrant(input),
  proposeGrant: (caller, { id, ...options }) => {
    assertMayRead(caller, id);
    return caller.engine.proposeGrant(id, options);
  },
  beginGrant: ({ engine, person }, input) => ({
    ...engine.beginGrant(input, person),
    words: engine.grantWords(input),
    preview: engine.previewGrant(input),
  }),
  issueGrantPhrase: ({ engine, person }, { nonce }) => engine.issueGrantPhrase(nonce, person),
  createGrant: ({ engine, person: by, assurance }, input) => engine.createGrant({ ...input, by, assurance }),
  beginGrantEnd: ({ engine, person }, { id }) => engine.beginGrantEnd(id, person),
  endGrant: ({ engine, person: by }, { id, ...input }) => engine.endGrant(id, { ...input, by }),
};

const rightsHandlers: Handlers<typeof rightsOperations, PersonCaller> = {
  exportPerson: ({ engine, person: by }, { person, also }) => engine.exportPerson(person, by, { also }),
  issueDeletionPhrase: ({ engine, person: by }, { person }) => engine.issueDeletionPhrase(person, by),
  deletePerson: ({ engine, person: by }, { person, ...input }) => engine.deletePerson(person, by, input),
};

const { createTicket: _agents, ...either } = eitherHandlers;

/** Handlers of the person's half. */
export const personHandlers: Handlers<typeof personOperations, PersonCaller> = {
  ...either,
  ...decisionHandlers,
  ...logHandlers,
  ...conversationHandlers,
  ...credentialHandlers,
  ...grantHandlers,
  ...identityHandlers,
  ...rightsHandlers,
  ...sampleHandlers,
};

/** The one change that a request asks for. */
function queueChange({
  withdraw,
  edit,
  text,
  order,
}: {
  withdraw?: string | undefined;
  edit?: string | undefined;
  text?: string | undefined;
  order?: string[] | undefined;
}): QueueChange {
  const changes = [
    ...(withdraw === undefined ? [] : [{ withdraw }]),
    ...(edit === undefined ? [] : [{ edit, text: text ?? "" }]),
    ...(order === undefined ? [] : [{ order }]),
  ];
  const [change] = changes;
  if (change !== undefined && changes.length === 1) return change;
  throw new HapError("invalid_input", "Give one of withdraw, edit (with text) and order.", { field: "withdraw" });
}

/** Answer the oldest question of an agent that waits for this person and that text answers; else queue the text. */
function answerOrQueue({ engine, person, assurance }: PersonCaller, agent: string, text: string): Sent {
  const waiting = engine.listPending({ from: agent, to: person });
  const question = waiting.findLast(({ ask, tier }) => ask.type === "text" && tier !== "critical");
  if (question === undefined) {
    engine.queueMessage(agent, { text }, person);
    return { agent, ticket_id: null, how: "queued" };
  }
  engine.answer(question.id, text, { by: person, assurance });
  return { agent, ticket_id: question.id, how: "answered" };
}

/** The key material; on a server a passkey's comes from what its browser registered. */
function stated<T>(credential: T | undefined): T {
  if (credential !== undefined) return credential;
  throw new HapError("invalid_input", "An SSH key comes as `credential`, with the line of its public key file.", {
    field: "credential",
  });
}
