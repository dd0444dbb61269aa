// What commands need before them, and what others do meanwhile.
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { HapEngine } from "../../src/index.ts";
import { savePolicy } from "../confirm-policy.ts";
import type { Act, Made } from "./run-again.ts";

export const AGENT = "agent:ci";
export const ALEX = "human:alex";
export const SAM = "human:sam";
export const KIM = "human:kim";
export const CALL_HASH = `sha256:${"a".repeat(64)}`;
export const SSH_LINE = sshLine();
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

export const opened = (engine: HapEngine, more: Record<string, unknown> = {}) =>
  engine.createTicket({
    from: AGENT,
    to: ALEX,
    kind: "modify_file",
    summary: "Change a line",
    details: { file: "a.txt" },
    ...more,
  }).id;
export const ticket = (engine: HapEngine): Made => ({ id: opened(engine) });
export const question = (engine: HapEngine): Made => ({
  id: opened(engine, { ask: { type: "text", prompt: "Which one?" }, kind: "question" }),
});
export const critical = (engine: HapEngine): Made => ({
  id: opened(engine, { kind: "run_command", details: { command: "rm -rf ~" } }),
});
export const approved = (engine: HapEngine): Made => {
  const made = ticket(engine);
  engine.approve(made.id as string);
  return made;
};
export const joined = (engine: HapEngine): Made => ({
  agent: engine.joinAgent({ agent_runtime: "claude_code", project_dir: "/work" }).agent,
});
export const queued = (engine: HapEngine): Made => {
  const made = joined(engine);
  const agent = made.agent as string;
  const { id: message } = engine.queueMessage(agent, { text: "Use main" }, ALEX);
  return { ...made, message, id: opened(engine, { from: agent, kind: "question", ask: { type: "text", prompt: "Which?" } }) };
};
export const key = (engine: HapEngine): Made => ({ key: engine.createKey({ agent: AGENT }, ALEX).id });
export const credential = (engine: HapEngine): Made => {
  const { statement } = engine.beginEnrolment({ person: "alex", kind: "ssh", label: "Laptop" });
  const { code } = engine.issueCode({ purpose: "enrol", person: "alex" });
  return { id: engine.enrolCredential({ nonce: statement.nonce, credential: { public_key: SSH_LINE }, code }).id };
};
export const enrolment = (engine: HapEngine): Made => {
  const { statement } = engine.beginEnrolment({ person: "alex", kind: "ssh", label: "Laptop" });
  return { nonce: statement.nonce, code: engine.issueCode({ purpose: "enrol", person: "alex" }).code };
};
export const webhook = (engine: HapEngine): Made => ({
  webhook: engine.createWebhook({ url: "https://example.com/hook" }, ALEX).id,
});
export const delivery = (engine: HapEngine): Made => {
  const made = webhook(engine);
  return { ...made, delivery: engine.testWebhook(made.webhook as string, ALEX).delivery_id };
};
export const signedIn = (engine: HapEngine): Made => ({ secret: engine.signIn(SAM, "cookie", "code").secret });
export const linked = (engine: HapEngine): Made => {
  engine.linkSubject(SAM, "https://idp.example", "sub-1234", ALEX);
  return signedIn(engine);
};
export const subscribed = (engine: HapEngine): Made => {
  engine.addPushSubscription(ALEX, browser("a"), "server");
  return ticket(engine);
};
export const confirmed = (engine: HapEngine): Made => {
  const { hash } = savePolicy(engine, { text: POLICY, replaces: null });
  return { hash, phrase: engine.issuePolicyPhrase({ hash }).phrase };
};
/** A ticket for two people, and a policy file, to be confirmed, that takes one of them away. */
export const twoPeople = (engine: HapEngine): Made => {
  const text = (members: string[]) =>
    JSON.stringify({
      version: 1,
      roles: { owner: [ALEX] },
      groups: { team: members },
      rules: [{ id: "two", match: { kind: "deploy" }, verdict: "ask", why: "Two.", quorum: { need: 2, of: ["group:team"] } }],
    });
  savePolicy(engine, { text: text([SAM, KIM]), replaces: null });
  const made = opened(engine, { kind: "deploy" });
  writeFileSync(engine.userPolicyStatus().path, text([SAM]));
  const { hash } = engine.userPolicyStatus();
  return { id: made, hash, phrase: engine.issuePolicyPhrase({ hash }).phrase };
};
export const trusted: Act = (engine, made) => engine.trustPolicy({ hash: made.hash as string, phrase: made.phrase });

/** A command that a grant or a denial is about. */
export const INSTALL = {
  from: AGENT,
  to: ALEX,
  kind: "run_command",
  summary: "Install",
  project: "/work",
  details: { command: "npm install x" },
};
const begun = (engine: HapEngine, verdict: "allow" | "deny"): Made => {
  const uses = verdict === "allow" ? 1 : null;
  const scope = { verdict, agent: AGENT, commands: ["npm install *"], project: "/work", seconds: 3600, uses };
  return { nonce: engine.beginGrant(scope, ALEX).statement.nonce };
};
export const begunGrant = (engine: HapEngine): Made => {
  const made = begun(engine, "allow");
  return { ...made, phrase: engine.issueGrantPhrase(made.nonce as string, ALEX).phrase };
};
export const granted = (engine: HapEngine): Made => {
  const { nonce, phrase } = begunGrant(engine);
  return { grant: engine.createGrant({ nonce: nonce as string, by: ALEX, phrase }).id };
};
export const denied = (engine: HapEngine): Made => {
  const { id: grant } = engine.createGrant({ nonce: begun(engine, "deny").nonce as string, by: ALEX });
  const { nonce } = engine.beginGrantEnd(grant, ALEX).statement;
  return { grant, nonce, phrase: engine.issueGrantPhrase(nonce, ALEX).phrase };
};

export function browser(name: string) {
  const { x, y } = BROWSER;
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x as string, "base64url"), Buffer.from(y as string, "base64url")]);
  const auth = Buffer.alloc(16, 7).toString("base64url");
  return { endpoint: `https://push.example/${name}`, keys: { p256dh: point.toString("base64url"), auth } };
}
const BROWSER = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });

export const id = (made: Made) => made.id as string;
export const anotherTicket: Act = (engine) => opened(engine, { summary: "Another line", from: "agent:other" });
export const rejected: Act = (engine, made) => engine.reject(id(made), "Not now");
export const acked: Act = (engine, made) => engine.ack(id(made), "Looking");
