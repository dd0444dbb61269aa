// Grants and denials on the engine (D43).
import type { GrantInput } from "@hap/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { savePolicy } from "./confirm-policy.ts";
import { CALL, command, INSTALLS, makeGrant } from "./grant.ts";
import { refusal } from "./refusal.ts";
import { Authenticator } from "./signing/authenticator.ts";
import { enrolPasskey } from "./signing/enrol.ts";
import { testStore, testWorld } from "./test-world.ts";

let store = testStore();
afterEach(() => {
  store.remove();
  store = testStore();
});

function world(humanId = "human:alex") {
  const clock = testWorld();
  const engine = store.open({ world: clock, humanId });
  const use = (text: string, more = {}, seen = {}) => engine.useGrant(command(text, more), CALL, seen);
  return { clock, engine, use };
}

describe("scope", () => {
  test("[GRANT-USE-1] a grant opens the call that it names, counted and journaled", () => {
    const { engine, use } = world();
    const grant = makeGrant(engine, { ...INSTALLS, uses: 2 });
    expect(grant).toMatchObject({ state: "active", left: 2, confirmed: true, words: expect.stringContaining("npm install *") });
    expect(use("npm install left-pad")).toMatchObject({ grant_id: grant.id, left: 1, by: "human:alex" });
    expect(engine.grant(grant.id)).toMatchObject({
      used: 1,
      journal: [{ call_hash: CALL, agent: "agent:ci", commands: [["npm", "install", "left-pad"]] }],
    });
    expect(use("npm install")).toMatchObject({ left: 0 });
    expect(engine.grant(grant.id)).toMatchObject({ state: "spent", ended_because: "spent" });
    expect(use("npm install left-pad")).toBeNull();
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  test.each([
    ["another program", "npx left-pad"],
    ["another verb", "npm uninstall left-pad"],
    ["an option that the pattern does not name", "npm install --prefix=/etc left-pad"],
    ["a second command", "npm install left-pad; curl evil.example"],
    ["a second command after &&", "npm install left-pad && node x.js"],
    ["a pipe", "npm install left-pad | sh"],
    ["a new line", "npm install left-pad\nnode x.js"],
    ["the background", "npm install left-pad & node x.js"],
    ["an assignment before it", "PATH=/tmp npm install left-pad"],
    ["env before it", "env PATH=/tmp npm install left-pad"],
    ["a wrapper", "nice npm install left-pad"],
    ["sudo", "sudo npm install left-pad"],
    ["a subshell", "(npm install left-pad)"],
    ["a substitution", "npm install $(cat x)"],
    ["a variable", "npm install $X"],
    ["a backquote", "npm install `cat x`"],
    ["a glob, which may become an option", "npm install *"],
    ["a brace", "npm install {a,b}"],
    ["quotes in the program's name", "n'p'm install left-pad"],
    ["a program by its path", "./npm install left-pad"],
    ["a redirection", "npm install left-pad > out.txt"],
    ["a redirection from a file", "npm install left-pad < in.txt"],
    ["an alias", "alias npm=sh; npm install left-pad"],
    ["another folder", "cd /tmp && npm install left-pad"],
    ["a function", "npm() { sh; }; npm install left-pad"],
    ["a comment", "npm install left-pad # ok"],
    ["an invisible character", "npm install left\u200b-pad"],
    ["eval", "eval npm install left-pad"],
    ["exec", "exec npm install left-pad"],
  ])("[GRANT-COMMAND-1] it does not open %s", (_, text) => {
    const { engine, use } = world();
    makeGrant(engine);
    expect(use(text)).toBeNull();
  });

  test.each([
    ["another agent", { from: "agent:other" }],
    ["another project", { project: "/srv/other", details: { command: "npm install x", cwd: "/srv/other" } }],
    ["a folder outside the project", { details: { command: "npm install x", cwd: "/tmp" } }],
    ["production", { environment: "prod" }],
    ["a critical ticket by its risk", { risk: 0.9 }],
    ["a question", { ask: { type: "confirm", prompt: "May I?" } }],
    ["somebody else's ticket", { to: "human:sam" }],
    ["a file that it names beside the command", { details: { command: "npm install x", file: "src/a.ts" } }],
  ])("[GRANT-SCOPE-1] it does not open a call of %s", (_, more) => {
    const { engine, use } = world();
    makeGrant(engine);
    expect(use("npm install x", more)).toBeNull();
  });

  test("[GRANT-SCOPE-1] each further condition narrows", () => {
    const { engine, use } = world();
    makeGrant(engine, { ...INSTALLS, session: "s1", environments: ["dev"], kinds: ["run_command"] });
    expect(use("npm install x", { session: "s1" })).toBeNull();
    expect(use("npm install x", { environment: "dev" })).toBeNull();
    expect(use("npm install x", { session: "s1", environment: "dev", kind: "deploy" })).toBeNull();
    expect(use("npm install x", { session: "s1", environment: "dev" })).not.toBeNull();
  });

  test("[GRANT-PATH-1] paths are those of the project, and every file must be named", () => {
    const { engine } = world();
    makeGrant(engine, { agent: "agent:ci", paths: ["src/**"], project: "/srv/app", seconds: 60 });
    const edit = (file: string, seen = {}) =>
      engine.useGrant(command("", { kind: "modify_file", details: { file } }), CALL, seen);
    expect(edit("src/a.ts")).not.toBeNull();
    expect(edit("/srv/app/src/b/c.ts")).not.toBeNull();
    expect(edit("src/../.env")).toBeNull();
    expect(edit("package.json")).toBeNull();
    expect(edit(".hap/policy.json")).toBeNull();
    // A link that the caller's disk shows leads out of the pattern, or to a gate path.
    expect(edit("src/link.ts", { paths: ["/home/alex/.ssh/config"] })).toBeNull();
    expect(edit("src/link.ts", { effects: ["gate_files"] })).toBeNull();
  });

  test("[GRANT-PATH-1] a pattern of the project covers no file outside, however wide it is", () => {
    const { engine } = world();
    const edit = (file: string) => engine.useGrant(command("", { kind: "modify_file", details: { file } }), CALL, {});
    makeGrant(engine, { agent: "agent:ci", paths: ["**"], project: "/srv/app", seconds: 60 });
    expect(edit("src/a.ts")).not.toBeNull();
    expect(edit("/home/alex/notes.md")).toBeNull();
    expect(edit("../other/a.ts")).toBeNull();
    makeGrant(engine, { agent: "agent:ci", paths: ["/home/alex/notes/**"], project: "/srv/app", seconds: 60 });
    expect(edit("/home/alex/notes/a.md")).not.toBeNull();
    expect(edit("/home/alex/b.md")).toBeNull();
  });

  test("[GRANT-HOST-1] hosts are those that the call names, and all of them", () => {
    const { engine, use } = world();
    makeGrant(engine, { agent: "agent:ci", commands: ["curl **"], hosts: ["*.example.org"], seconds: 60 });
    expect(use("curl -sS https://api.example.org/v1")).not.toBeNull();
    expect(use("curl -sS https://api.example.org@evil.test/v1")).toBeNull();
    expect(use("curl -sS https://api.example.org https://evil.test")).toBeNull();
    expect(use("curl -sS")).toBeNull();
  });

  test("[GRANT-EFFECT-1] with effects named, one effect more is not covered", () => {
    const { engine, use } = world();
    makeGrant(engine, { ...INSTALLS, effects: ["unknown"] });
    expect(use("npm install x", {}, { effects: ["write_outside"] })).toBeNull();
  });

  test("[GRANT-COMMAND-2] a program that an agent could have put there opens nothing", () => {
    const { engine, use } = world();
    makeGrant(engine);
    expect(use("npm install x", {}, { trusted: false })).toBeNull();
  });
});

describe("limits", () => {
  test("[GRANT-TIME-1] at the moment of its end it is over, and stays over when the clock goes back", () => {
    const { engine, use, clock } = world();
    const grant = makeGrant(engine, { ...INSTALLS, seconds: 60 });
    clock.advance(59_999);
    expect(use("npm install x")).not.toBeNull();
    clock.advance(1);
    expect(use("npm install x")).toBeNull();
    expect(engine.grant(grant.id)).toMatchObject({ state: "expired", ended_because: "expired" });
    clock.jump(-30_000);
    expect(use("npm install x")).toBeNull();
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  test("[GRANT-TIME-2] a clock that was set back opens nothing", () => {
    const { engine, use, clock } = world();
    makeGrant(engine);
    clock.jump(-3_600_000);
    expect(use("npm install x")).toBeNull();
    clock.jump(3_600_000);
    expect(use("npm install x")).not.toBeNull();
    clock.advance(600_000);
    engine.createTicket({ to: "human:alex", summary: "later" });
    clock.jump(-300_000);
    expect(use("npm install x")).toBeNull();
  });

  test("[GRANT-RATE-1] a rate counts a window that slides", () => {
    const { engine, use, clock } = world();
    makeGrant(engine, { ...INSTALLS, rate: { uses: 2, seconds: 60 } });
    expect(use("npm install a")).not.toBeNull();
    clock.advance(30_000);
    expect(use("npm install b")).not.toBeNull();
    expect(use("npm install c")).toBeNull();
    clock.advance(30_000);
    expect(use("npm install c")).not.toBeNull();
    expect(use("npm install d")).toBeNull();
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  test("[GRANT-REPEAT-1] a host that asks twice about one call uses it once", () => {
    const { engine, use, clock } = world();
    const { id } = makeGrant(engine, { ...INSTALLS, uses: 1 });
    expect(use("npm install x")).not.toBeNull();
    expect(use("npm install x", {}, { repeat_ms: 60_000 })).toMatchObject({ grant_id: id });
    clock.advance(60_001);
    expect(use("npm install x", {}, { repeat_ms: 600_000 })).toBeNull();
    expect(engine.grant(id).used).toBe(1);
  });

  test.each<[string, Partial<GrantInput>]>([
    ["no agent", { agent: null }],
    ["nothing that it allows", { commands: null }],
    ["a pattern for every program", { commands: ["*"] }],
    ["a program by its path", { commands: ["./deploy.sh *"] }],
    ["quotes that do not close", { commands: ["npm install 'x"] }],
    ["a project that is no whole path", { project: "app" }],
    ["no uses", { uses: 0 }],
    ["more than a year", { seconds: 400 * 86_400 }],
    ["an effect that HAP does not know", { effects: ["magic"] }],
    ["a number of uses that ends a denial", { verdict: "deny", uses: 3 }],
    ["a field that HAP does not know", { everything: true } as Partial<GrantInput>],
  ])("[GRANT-INPUT-1] a grant with %s is refused", (_, more) => {
    const { engine } = world();
    expect(refusal(() => engine.beginGrant({ ...INSTALLS, ...more }, "human:alex")).code).toBe("invalid_input");
  });
});

describe("who makes and ends them", () => {
  test("[GRANT-CONFIRM-1] without a key it needs the phrase that was issued for it", () => {
    const { engine, use } = world();
    const by = "human:alex";
    const { statement, needs } = engine.beginGrant(INSTALLS, by);
    expect(needs).toBe("phrase");
    const { nonce } = statement;
    expect(refusal(() => engine.createGrant({ nonce, by })).code).toBe("confirmation_needed");
    const { phrase } = engine.issueGrantPhrase(nonce, by);
    expect(refusal(() => engine.createGrant({ nonce, by, phrase: "allow agent:ci" })).code).toBe("phrase_wrong");
    expect(refusal(() => engine.createGrant({ nonce, by: "human:sam", phrase })).code).toBe("statement_mismatch");
    const other = engine.beginGrant({ ...INSTALLS, commands: ["npm **"] }, by).statement.nonce;
    expect(refusal(() => engine.createGrant({ nonce: other, by, phrase })).code).toBe("phrase_wrong");
    expect(use("npm install x")).toBeNull();
    engine.createGrant({ nonce, by, phrase });
    expect(use("npm install x")).not.toBeNull();
    expect(refusal(() => engine.createGrant({ nonce, by, phrase })).code).toBe("statement_mismatch");
  });

  test("[GRANT-SIGN-1] with a key it is signed, also once the key is revoked, and ends with the key", () => {
    const { engine, use } = world();
    const by = "human:alex";
    const passkey = new Authenticator();
    const key = enrolPasskey(engine, passkey);
    const begun = engine.beginGrant(INSTALLS, by);
    expect(begun.needs).toBe("signature");
    const { nonce } = begun.statement;
    const { phrase } = engine.issueGrantPhrase(nonce, by);
    expect(refusal(() => engine.createGrant({ nonce, by, phrase })).code).toBe("signature_needed");
    const wider = { ...begun.statement, uses: 9999 };
    expect(refusal(() => engine.createGrant({ nonce, by, assertion: passkey.assert(wider) })).code).toBe("statement_mismatch");
    const grant = engine.createGrant({ nonce, by, assertion: passkey.assert(begun.statement) });
    expect(use("npm install x")).not.toBeNull();
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    engine.revokeCredential({ id: key.id, by });
    expect(engine.grant(grant.id)).toMatchObject({ state: "ended", ended_because: "key_revoked" });
    expect(use("npm install x")).toBeNull();
    expect(engine.beginGrant(INSTALLS, by).needs).toBe("signature");
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  test("[GRANT-END-1] its person ends it by a word, another person does not", () => {
    const { engine, use } = world();
    const grant = makeGrant(engine);
    expect(refusal(() => engine.endGrant(grant.id, { by: "human:sam" })).code).toBe("grant_not_found");
    expect(engine.endGrant(grant.id, { by: "human:alex" })).toMatchObject({ state: "ended", ended_by: "human:alex" });
    expect(use("npm install x")).toBeNull();
    expect(refusal(() => engine.endGrant(grant.id, { by: "human:alex" })).code).toBe("wrong_state");
  });

  test("[GRANT-AUTHORITY-1] it reaches no further than its person's right to decide", () => {
    const { engine, use } = world();
    const policy = (roles: object, replaces: string | null) =>
      savePolicy(engine, { text: JSON.stringify({ version: 1, roles }), replaces, by: "human:alex" }).hash;
    const hash = policy({ owner: ["human:alex"], approver: ["human:ann"] }, null);
    makeGrant(engine, INSTALLS, "human:ann");
    expect(use("npm install x")).toMatchObject({ by: "human:ann" });
    makeGrant(engine, INSTALLS, "human:eve");
    policy({ owner: ["human:alex"] }, hash);
    // Ann's role is gone, and Eve never had one.
    expect(use("npm install x")).toBeNull();
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  test("[GRANT-AUTHORITY-2] where the policy wants a signature, an unsigned grant gives none", () => {
    const { engine, use } = world();
    makeGrant(engine);
    expect(use("npm install x")).not.toBeNull();
    savePolicy(engine, { text: JSON.stringify({ version: 1, signature_from_risk: 0 }), replaces: null });
    expect(use("npm install x")).toBeNull();
  });

  test("[GRANT-POLICY-1] a rule that denies stays above it, and a rule that allows uses nothing", () => {
    const { engine, use } = world();
    const rule = (verdict: string, replaces: string | null) =>
      savePolicy(engine, {
        text: JSON.stringify({ version: 1, rules: [{ id: "r", match: { kind: "run_command" }, verdict, why: "So." }] }),
        replaces,
      }).hash;
    const { id } = makeGrant(engine);
    const hash = rule("deny", null);
    expect(use("npm install x")).toBeNull();
    rule("allow", hash);
    expect(use("npm install x")).toBeNull();
    expect(engine.grant(id).used).toBe(0);
  });

  test("[GRANT-PERSON-1] it ends with its person", () => {
    const { engine, use } = world();
    const grant = makeGrant(engine, INSTALLS, "human:sam");
    expect(use("npm install x", { to: "human:sam" })).not.toBeNull();
    const { phrase } = engine.issueDeletionPhrase("human:sam", "human:alex");
    engine.deletePerson("human:sam", "human:alex", { phrase, mentions: "erase" });
    expect(engine.grant(grant.id)).toMatchObject({ state: "ended", ended_because: "person_erased", commands: null });
    expect(use("npm install x", { to: "human:sam" })).toBeNull();
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });
});

describe("denials", () => {
  const PUSHES: GrantInput = { verdict: "deny", commands: ["git push *"], seconds: null };

  test("[GRANT-DENY-1] a denial closes critical calls too, in whatever they are wrapped", () => {
    const { engine } = world();
    const { id } = makeGrant(engine, PUSHES);
    for (const text of ["git push origin main", "sudo git push --force", "true && (git -C x push)", "sh -c 'git push'"])
      expect(engine.decideByPolicy(command(text), CALL)).toMatchObject({ verdict: "deny", grant: { grant_id: id } });
    expect(engine.decideByPolicy(command("git status"), CALL)).toMatchObject({ verdict: "ask", grant: null });
    expect(refusal(() => engine.createTicket(command("git push")))).toMatchObject({ code: "policy_denied" });
    expect(engine.grant(id).used).toBe(5);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  test("[GRANT-DENY-2] ending one opens something, so it is confirmed as a grant is", () => {
    const { engine } = world();
    const by = "human:alex";
    const { id } = makeGrant(engine, PUSHES);
    expect(refusal(() => engine.endGrant(id, { by })).code).toBe("confirmation_needed");
    const { nonce } = engine.beginGrantEnd(id, by).statement;
    const { phrase } = engine.issueGrantPhrase(nonce, by);
    expect(refusal(() => engine.endGrant(id, { by, nonce, phrase: "no" })).code).toBe("phrase_wrong");
    expect(engine.endGrant(id, { by, nonce, phrase }).state).toBe("ended");
    expect(engine.decideByPolicy(command("git push"), CALL).verdict).toBe("ask");
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  test("[GRANT-DENY-3] it beats a grant and a rule that allows", () => {
    const { engine } = world();
    makeGrant(engine, { agent: "agent:ci", commands: ["git push *"], seconds: 60 });
    const rule = { id: "all", match: { kind: "run_command" }, verdict: "allow", why: "Fine." };
    savePolicy(engine, { text: JSON.stringify({ version: 1, rules: [rule] }), replaces: null });
    makeGrant(engine, PUSHES);
    expect(engine.decideByPolicy(command("git push"), CALL).verdict).toBe("deny");
  });
});

describe("before it is signed", () => {
  test("[GRANT-PREVIEW-1] the preview lists the tickets that it would have answered, and how they ended", () => {
    const { engine } = world();
    const open = (text: string, more = {}) => engine.createTicket(command(text, more)).id;
    engine.approve(open("npm install a"));
    engine.reject(open("npm install b"));
    open("npm install c");
    open("npm install d; sh");
    open("npm install e", { from: "agent:other" });
    expect(engine.previewGrant(INSTALLS)).toMatchObject({ tickets: 5, approved: 1, rejected: 1, other: 1 });
    const { seq } = engine.head();
    engine.previewGrant(INSTALLS);
    expect(engine.head().seq).toBe(seq);
  });

  test("[GRANT-PROPOSE-1] the narrowest grant is proposed for a ticket, and wider ones after it", () => {
    const { engine, use } = world();
    const { id } = engine.createTicket(command("npm install left-pad"));
    const proposal = engine.proposeGrant(id, { seconds: 28_800 });
    expect(proposal.input).toMatchObject({ agent: "agent:ci", commands: ["npm install left-pad"], project: "/srv/app" });
    expect(proposal.wider.map(({ input }) => input.commands)).toEqual([["npm install *"]]);
    makeGrant(engine, proposal.input);
    expect(use("npm install left-pad")).not.toBeNull();
    expect(use("npm install other")).toBeNull();
  });

  test.each([
    ["critical", command("sudo reboot"), /critical/],
    ["a question", command("", { details: {}, ask: { type: "confirm", prompt: "May I?" } }), /question/],
    ["unreadable", command("npm install $(cat x)"), /critical|shell/],
  ])("[GRANT-PROPOSE-2] none is proposed for a ticket that is %s", (_, input, words) => {
    const { engine } = world();
    const { id } = engine.createTicket(input);
    expect(refusal(() => engine.proposeGrant(id, { seconds: 60 }))).toMatchObject({
      code: "wrong_state",
      message: expect.stringMatching(words),
    });
  });

  test("[GRANT-UNUSED-1] grants that nothing used for a while are listed", () => {
    const { engine, use, clock } = world();
    const idle = makeGrant(engine, { ...INSTALLS, seconds: null, commands: ["npm test"] });
    makeGrant(engine, { ...INSTALLS, seconds: null });
    clock.advance(8 * 86_400_000);
    use("npm install x");
    expect(engine.grants({ unused_days: 7 }).map(({ id }) => id)).toEqual([idle.id]);
    expect(engine.grants({ agent: "agent:other" })).toEqual([]);
  });
});
