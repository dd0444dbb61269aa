// Commands on tickets, decisions and policies, each with something else that touches the same rows.
import {
  AGENT,
  ALEX,
  acked,
  anotherTicket,
  approved,
  CALL_HASH,
  confirmed,
  critical,
  id,
  KIM,
  opened,
  question,
  rejected,
  SAM,
  ticket,
  trusted,
  twoPeople,
} from "./before.ts";
import type { Case } from "./run-again.ts";

/** Commands by name. */
export const TICKET_CASES: Record<string, Case> = {
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
  "approve of one of two people": {
    before: twoPeople,
    run: (engine, made) => engine.approve(id(made), "Fine", { by: SAM }),
    other: (engine, made) => engine.approve(id(made), undefined, { by: KIM }),
  },
  "approve twice by one of two people": {
    before: twoPeople,
    run: (engine, made) => engine.approve(id(made), "Fine", { by: SAM }),
    other: (engine, made) => engine.approve(id(made), "Again", { by: SAM }),
  },
  "approve while a group is changed": {
    before: twoPeople,
    run: (engine, made) => engine.approve(id(made), "Fine", { by: SAM }),
    other: trusted,
  },
  "trustPolicy that leaves too few in a group": {
    before: twoPeople,
    run: trusted,
    other: (engine, made) => engine.approve(id(made), "Fine", { by: SAM }),
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
  holdDecision: {
    before: ticket,
    run: (engine, made) => engine.holdDecision(id(made), { decision: "approve", comment: "Fine", seconds: 3, by: ALEX }),
    other: rejected,
  },
  undoDecision: {
    before: (engine) => {
      const made = ticket(engine);
      engine.holdDecision(id(made), { decision: "approve", seconds: 3, by: ALEX });
      return made;
    },
    run: (engine, made) => engine.undoDecision(id(made), ALEX),
    other: rejected,
  },
  issuePhrase: { before: critical, run: (engine, made) => engine.issuePhrase(id(made)), other: acked },
  decideByPolicy: {
    before: confirmed,
    run: (engine) => engine.decideByPolicy({ from: AGENT, kind: "push", summary: "Push" }, CALL_HASH),
    other: anotherTicket,
  },
  issuePolicyPhrase: {
    before: confirmed,
    run: (engine, made) => engine.issuePolicyPhrase({ hash: made.hash as string }),
    other: anotherTicket,
  },
  trustPolicy: { before: confirmed, run: trusted, other: anotherTicket },
};
