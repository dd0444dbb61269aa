// Questions of the model and of MCP servers, and events that only tell.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { claudePayloads as claude } from "./fixtures/claude-payloads.ts";
import { codexPayloads as codex } from "./fixtures/codex-payloads.ts";
import { decided, World } from "./world.ts";

describe("AskUserQuestion", () => {
  const world = new World();
  const at = world.project;

  test("[HOOK-QUESTION-1] becomes a question, and its answer goes back in the tool's own input", async () => {
    const payload = claude.question(at);
    const ran = await world.runWith("claude", payload, (person, { id, ask }) => {
      expect(ask).toMatchObject({ type: "choice", prompt: "Which library should format dates?", allow_other: true });
      return person.answer(id, "Temporal");
    });
    expect(decided(ran).decision).toBe("allow");
    expect(ran.said.hookSpecificOutput?.updatedInput).toEqual({
      ...payload.tool_input,
      answers: { "Which library should format dates?": "Temporal" },
    });
  });

  test("[HOOK-QUESTION-1] takes several answers and words of the person's own", async () => {
    const ran = await world.runWith("claude", claude.question(at, true), (person, { id }) =>
      person.answer(id, { type: "choice", choices: ["1", "2"], other: "or neither" }),
    );
    const answers = ran.said.hookSpecificOutput?.updatedInput?.answers;
    expect(answers).toEqual({ "Which library should format dates?": "date-fns, Temporal, or neither" });
  });

  test("[HOOK-QUESTION-1] several questions are one form", async () => {
    const ran = await world.runWith("claude", claude.questions(at), (person, { id, ask }) => {
      expect(ask.type).toBe("form");
      return person.answer(id, { type: "form", values: { q1: "2", q2: ["1", "2"] } });
    });
    expect(ran.said.hookSpecificOutput?.updatedInput?.answers).toEqual({
      "Which database?": "PostgreSQL",
      "Which checks?": "Types, Lint",
    });
  });

  test("[HOOK-QUESTION-1] a question that nobody answers is a no with words", async () => {
    const payload = { ...claude.question(at), cwd: `${at}/src` };
    const ran = await world.runWith("claude", payload, (person, { id }) => person.reject(id, "decide yourself"));
    expect(decided(ran)).toMatchObject({ decision: "deny", reason: expect.stringContaining("decide yourself") });
  });
});

describe("Elicitation", () => {
  const world = new World();
  const at = world.project;
  const schema = {
    type: "object",
    properties: {
      queue: { type: "string", enum: ["bugs", "ideas"], title: "Queue" },
      points: { type: "integer" },
      urgent: { type: "boolean" },
    },
    required: ["queue"],
  };

  test("[HOOK-ELICIT-1] a flat form becomes a question, and what the person fills in goes back", async () => {
    const ran = await world.runWith("claude", claude.elicitation(at, schema), (person, { id }) =>
      person.answer(id, { type: "form", values: { queue: "bugs", points: 3, urgent: true } }),
    );
    expect(ran.said).toEqual({
      hookSpecificOutput: { hookEventName: "Elicitation", action: "accept", content: { queue: "bugs", points: 3, urgent: true } },
    });
  });

  test("[HOOK-ELICIT-1] a no is declined", async () => {
    const ran = await world.runWith("claude", claude.elicitation(`${at}/src`, { ...schema, title: "again" }), (person, { id }) =>
      person.reject(id),
    );
    expect(ran.said.hookSpecificOutput).toEqual({ hookEventName: "Elicitation", action: "decline" });
  });

  test("[HOOK-ELICIT-1] a link, or more than a flat form, stays the host's own dialog", async () => {
    const nested = { type: "object", properties: { a: { type: "object" } } };
    for (const payload of [claude.elicitedLink(at), claude.elicitation(at, nested)])
      expect((await world.run("claude", payload)).out).toBe("{}\n");
  });

  test("[HOOK-ELICIT-2] what our own MCP server asks has a ticket already, and gets no second one", async () => {
    const before = (await world.tickets()).length;
    const ran = await world.run("claude", { ...claude.elicitation(at, schema), mcp_server_name: "hap" });
    expect(ran.out).toBe("{}\n");
    expect(await world.tickets()).toHaveLength(before);
  });
});

describe("events that only tell", () => {
  test("[HOOK-NOTE-1] are notes on the open tickets of their session, and hold nothing up", async () => {
    const world = new World();
    const argv = ["--store", world.store, "--to", "human:alex", "--wait", "1"];
    await world.run("claude", claude.bash(world.project, "npm test"), { argv });
    const told = [claude.notification, claude.stop, claude.sessionStart, claude.sessionEnd].map((make) => make(world.project));
    for (const payload of told) {
      const ran = await world.run("claude", payload);
      expect([ran.code, ran.out]).toEqual([0, "{}\n"]);
    }
    const [ticket] = await world.tickets();
    const history = await (await world.person()).history(ticket?.id as string);
    const notes = history.flatMap((event) =>
      (event as { type: string; note: string }).type === "ticket.note" ? [(event as { note: string }).note] : [],
    );
    expect(notes).toEqual([
      "Claude Code says: Run it",
      "Claude Code: Notification (Claude is waiting for your input)",
      "Claude Code: Stop",
      "Claude Code: SessionStart (startup)",
      "Claude Code: SessionEnd (clear)",
    ]);
  });

  test("[HOOK-NOTE-1] never stop the host, even when the store is broken", async () => {
    const world = new World();
    const argv = ["--store", "/dev/null/hap.db"];
    const ran = await world.run("codex", codex.stop(world.project), { argv });
    expect([ran.code, ran.out]).toEqual([0, "{}\n"]);
    expect(ran.err).not.toBe("");
    expect(existsSync(world.store)).toBe(false);
  });
});
