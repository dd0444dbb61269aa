// What a person says, and what the host and its model are told: different words for every end, the person's own verbatim (D7).
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { approveTyped } from "../../../../test/support/approve-typed.ts";
import { confirmPolicy } from "../../../../test/support/confirm-policy.ts";
import { claudePayloads as claude } from "./fixtures/claude-payloads.ts";
import { codexPayloads as codex, codexPermissionOutput, codexToolOutput } from "./fixtures/codex-payloads.ts";
import { decided, World } from "./world.ts";

const ajv = new Ajv({ allowUnionTypes: true, strict: false });

describe("a person's answer reaches the host", () => {
  const world = new World();
  const at = world.project;

  test("[HOOK-WORDS-1, HOOK-CONSUME-1] approved: allowed, and consumed for this very call before that is said", async () => {
    const ran = await world.runWith("claude", claude.bash(at, "npm test"), (person, { id }) => approveTyped(person, id, "go on"));
    expect(decided(ran)).toEqual({ decision: "allow", reason: "Approved by human:alex. They said: go on" });
    const [ticket] = await world.tickets();
    expect(ticket?.consumed).toMatchObject({ by: "agent:claude-code", call_hash: expect.stringMatching(/^sha256:/) });
  });

  test("[HOOK-WORDS-1] approved with edits: the changed input, whole", async () => {
    const ran = await world.runWith("claude", claude.bash(at, "npm run deploy"), (person, { id }) =>
      approveTyped(person, id, "", { edits: { command: "npm run deploy -- --dry-run" } }),
    );
    expect(decided(ran)).toEqual({ decision: "allow", reason: "Approved with edits by human:alex." });
    expect(ran.said.hookSpecificOutput?.updatedInput).toEqual({
      command: "npm run deploy -- --dry-run",
      description: "Run it",
    });
  });

  test("[HOOK-WORDS-1] approved with edits that the tool cannot take: not made, and told what to do instead", async () => {
    const ran = await world.runWith("claude", claude.bash(at, "npm run build"), (person, { id }) =>
      approveTyped(person, id, "", { edits: { folder: "dist" } }),
    );
    expect(decided(ran)).toMatchObject({ decision: "deny", reason: expect.stringContaining('{"folder":"dist"}') });
  });

  test.each([
    ["rejected", "npm a", "Rejected by human:alex: do not do this. They said: not „now“ – ever", "reject"],
    [
      "changes requested",
      "npm b",
      "human:alex wants changes before this is approved. They said: not „now“ – ever",
      "requestChanges",
    ],
    ["canceled", "npm c", "Canceled by human:alex.", "cancel"],
  ] as const)("[HOOK-WORDS-1] %s: refused with the person's words", async (_, command, words, verb) => {
    const ran = await world.runWith("claude", claude.bash(at, command), (person, { id }) => person[verb](id, "not „now“ – ever"));
    expect(ran.code).toBe(0);
    expect(decided(ran)).toMatchObject({ decision: "deny", reason: expect.stringContaining(words) });
  });

  test("[HOOK-WORDS-1] nobody came: refused, and said that no person refused", async () => {
    const argv = ["--store", world.store, "--to", "human:alex", "--ttl", "1"];
    const ran = await world.run("claude", claude.bash(at, "npm d"), { argv });
    expect(decided(ran)).toMatchObject({ decision: "deny", reason: expect.stringContaining("This is not a person's refusal") });
  });

  test("[HOOK-WAIT-1] acked: the hook waits on past the lease, and ends with still pending when the host's time is over", async () => {
    const argv = ["--store", world.store, "--to", "human:alex", "--ttl", "6", "--wait", "9"];
    const ran = await world.runWith("claude", claude.bash(at, "npm e"), (person, { id }) => person.ack(id), { argv });
    expect(decided(ran)).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(/^Still pending, tk_\w+\. Still open: human:alex is looking/),
    });
    const [ticket] = await world.tickets();
    const again = world.run("claude", claude.bash(at, "npm e"), { argv });
    await approveTyped(await world.person(), ticket?.id as string, "took a while");
    expect(decided(await again)).toEqual({ decision: "allow", reason: "Approved by human:alex. They said: took a while" });
    expect((await world.tickets())[0]?.id).toBe(ticket?.id);
  });

  test("[HOOK-TIMER-1] a timer's yes opens nothing, unless a confirmed rule grants it", async () => {
    const timed = new World();
    const rule = {
      id: "late",
      match: { command: "npm *" },
      verdict: "ask",
      why: "w",
      // What nobody was shown cannot approve itself: long enough for a slow machine to show it.
      lease: { ttl_seconds: 6, on_timeout: "auto_approve" },
    };
    const trust = async () => {
      const person = await timed.person();
      await confirmPolicy(person);
    };
    timed.policy("user", [rule]);
    await trust();
    const shown = (person: Awaited<ReturnType<World["person"]>>, { id }: { id: string }) => person.show(id);
    const no = await timed.runWith("claude", claude.bash(timed.project, "npm f"), shown);
    expect(decided(no)).toMatchObject({ decision: "deny", reason: expect.stringContaining("no person said yes") });
    timed.policy("user", [{ ...rule, timer_yes: true }]);
    await trust();
    const granted = await timed.runWith("claude", claude.bash(timed.project, "npm g"), shown);
    expect(decided(granted).decision).toBe("allow");
  });

  test("[POLICY-RECORD-1] a rule that asks is recorded once for a call, however often the hook looks at it", async () => {
    const asked = new World();
    asked.policy("project", [{ id: "builds", match: { command: "npm run *" }, verdict: "ask", why: "w" }]);
    const argv = ["--store", asked.store, "--to", "human:alex", "--wait", "1"];
    const call = claude.bash(asked.project, "npm run build");
    expect(decided(await asked.run("claude", call, { argv })).reason).toMatch(/^Still pending/);
    await asked.runWith("claude", call, (person, { id }) => approveTyped(person, id, ""));
    const person = await asked.person();
    const recorded = (await person.events()).filter(({ type }) => type === "policy.decision");
    expect(recorded.map(({ payload }) => payload)).toEqual([expect.objectContaining({ verdict: "ask", rule: "builds" })]);
    expect(await person.verify()).toMatchObject({ ok: true });
  });

  test("[HOOK-RUN-1] with --run an approved command comes back as hap run, unused until that runs it", async () => {
    const argv = ["--store", world.store, "--to", "human:alex", "--run"];
    const answer = (person: Awaited<ReturnType<World["person"]>>, { id }: { id: string }) => approveTyped(person, id, "");
    const ran = await world.runWith("claude", claude.bash(at, "npm run x"), answer, { argv });
    const [ticket] = await world.tickets();
    expect(ran.said.hookSpecificOutput?.updatedInput).toEqual({
      command: `HAP_DB_PATH='${world.store}' HAP_AGENT_ID='agent:claude-code' hap run ${ticket?.id}`,
      description: "Run it",
    });
    expect(ticket).toMatchObject({ consumed: null, intent: { details: { command: "npm run x", cwd: at } } });
    const pending = await world.run("claude", claude.bash(at, "npm run y"), { argv: [...argv, "--wait", "1"] });
    expect(decided(pending).decision).toBe("deny");
    await (await world.person()).cancel((await world.tickets())[0]?.id as string);
  });

  test("[HOOK-ASK-2] the ticket holds the whole change as a diff, the subagent, and the model's words as a note", async () => {
    await world.runWith("claude", claude.subagent(at, "npm run z"), (person, { id }) => person.reject(id));
    expect((await world.tickets())[0]?.intent.details).toEqual({
      command: "npm run z",
      tool: "Bash",
      cwd: at,
      subagent: "code-reviewer",
    });
    const path = join(at, ".gitconfig");
    await world.runWith("claude", claude.write(at, path, "[core]\n"), (person, { id }) => person.reject(id));
    expect((await world.tickets())[0]?.intent.details.diff).toBe("--- /dev/null\n+++ b/.gitconfig\n@@ -0,0 +1,1 @@\n+[core]\n");
    await world.runWith("claude", claude.bash(at, "npm run noted"), (person, { id }) => person.reject(id));
    const history = await (await world.person()).history((await world.tickets())[0]?.id as string);
    expect(history).toContainEqual(expect.objectContaining({ type: "ticket.note", note: "Claude Code says: Run it" }));
  });
});

describe("each host gets exactly the JSON that it accepts", () => {
  const world = new World();
  const at = world.project;

  test("[HOOK-JSON-2, HOOK-WORDS-2] Codex: no decision but words for a yes, a reason for a no, a changed input with allow", async () => {
    const allowed = await world.runWith("codex", codex.bash(at, "npm a"), (person, { id }) => approveTyped(person, id, "fine"));
    const denied = await world.runWith("codex", codex.bash(at, "npm b"), (person, { id }) => person.reject(id));
    const edited = await world.runWith("codex", codex.bash(at, "npm c"), (person, { id }) =>
      approveTyped(person, id, "", { edits: { command: "npm d" } }),
    );
    for (const { said } of [allowed, denied, edited])
      expect(ajv.validate(codexToolOutput, said), JSON.stringify(said)).toBe(true);
    expect(allowed.said).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "Approved by human:alex. They said: fine" },
    });
    expect(decided(denied).decision).toBe("deny");
    expect(edited.said.hookSpecificOutput).toMatchObject({
      permissionDecision: "allow",
      updatedInput: { command: "npm d" },
      additionalContext: expect.stringContaining("Approved with edits"),
    });
  });

  test("[HOOK-JSON-2] Codex, PermissionRequest: no field that it reserves, also where a person edited", async () => {
    const allowed = await world.runWith("codex", codex.permission(at, "npm e"), (person, { id }) => approveTyped(person, id, ""));
    const denied = await world.runWith("codex", codex.permission(at, "npm f"), (person, { id }) => person.reject(id, "no"));
    const edited = await world.runWith("codex", codex.permission(at, "npm g"), (person, { id }) =>
      approveTyped(person, id, "", { edits: { command: "npm h" } }),
    );
    for (const { said } of [allowed, denied, edited])
      expect(ajv.validate(codexPermissionOutput, said), JSON.stringify(said)).toBe(true);
    expect(allowed.said.hookSpecificOutput?.decision).toEqual({ behavior: "allow" });
    expect(denied.said.hookSpecificOutput?.decision).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("They said: no"),
    });
    expect(edited.said.hookSpecificOutput?.decision).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining('"npm h"'),
    });
  });

  test("[HOOK-JSON-1] Claude Code, PermissionRequest: a decision with the changed input", async () => {
    const ran = await world.runWith("claude", claude.permission(at, "npm i"), (person, { id }) =>
      approveTyped(person, id, "", { edits: { command: "npm j" } }),
    );
    expect(ran.said).toEqual({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "allow", updatedInput: { command: "npm j", description: "Run it" } },
      },
    });
  });

  test("[HOOK-PERMISSION-2] where Claude Code's own rules want a person, no policy answers for one; Codex is answered", async () => {
    const before = (await world.tickets()).length;
    expect((await world.run("claude", claude.permission(at, "ls"))).out).toBe("{}\n");
    world.policy("project", [{ id: "seen", match: { command: "ls*" }, verdict: "allow", why: "w" }]);
    expect((await world.run("claude", claude.permission(at, "ls"))).out).toBe("{}\n");
    world.policy("project", []);
    expect(decided(await world.run("codex", codex.permission(at, "ls"))).decision).toBe("allow");
    expect(await world.tickets()).toHaveLength(before);
  });

  test("[HOOK-PERMISSION-1] a host that asks again about the call that was just approved is answered without a second ticket", async () => {
    await world.runWith("codex", codex.bash(at, "npm twice"), (person, { id }) => approveTyped(person, id, ""));
    const before = (await world.tickets()).length;
    const { description: _, ...input } = codex.permission(at, "npm twice").tool_input;
    const ran = await world.run("codex", { ...codex.permission(at, "npm twice"), tool_input: input });
    expect(decided(ran).decision).toBe("allow");
    expect((await world.tickets()).length).toBe(before);
    const plan = await world.run("claude", claude.permission(at, "npm other", "plan"));
    expect(decided(plan).decision).toBe("deny");
  });
});
