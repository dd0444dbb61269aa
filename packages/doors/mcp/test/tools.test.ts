// Every tool and resource, driven by an SDK client of each protocol revision against the real program.
import type { Ticket } from "@hap/protocol";
import { describe, expect, test } from "vitest";
import { connectHost, type Result, type Revision } from "./hosts.ts";
import { McpWorld, until } from "./world.ts";

const revisions: Revision[] = ["2025-11-25", "2026-07-28"];
const names = [
  "hap_create_ticket",
  "hap_ask",
  "hap_wait",
  "hap_request_status",
  "hap_list_pending",
  "hap_get_ticket",
  "hap_cancel_ticket",
  "hap_approve_ticket",
  "hap_reject_ticket",
  "hap_ack_ticket",
  "cueme_join",
  "cueme_recall",
  "cueme_cue",
  "cueme_pause",
];

const command = { summary: "Clean the build folder", kind: "run_command", details: { command: "make clean" } };
const idOf = (result: Result) => result.structuredContent?.ticket_id as string;
const errorOf = (result: Result) => result._meta?.["hap/error"];
const textOf = (result: Result) => result.content.map(({ text }) => text).join("\n");

describe.each(revisions)("a host of revision %s", (revision) => {
  test("[MCP-TOOLS-1, MCP-TOOLS-2] sees the draft's six tools, four more and those of cueme, each annotated", async () => {
    const host = await connectHost(revision, new McpWorld());
    const tools = await host.tools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    for (const { annotations, description } of tools) {
      expect(Object.keys(annotations ?? {}).sort()).toEqual(
        ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint", "title"].sort(),
      );
      expect(description?.length).toBeGreaterThan(60);
    }
    const forPerson = tools.filter(({ _meta }) => _meta?.["anthropic/requiresUserInteraction"] === true).map(({ name }) => name);
    expect(forPerson).toEqual(["hap_approve_ticket", "hap_reject_ticket", "hap_ack_ticket"]);
  });

  test("[MCP-REVISIONS-1] asks, waits, and hears the person's own words", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const person = await world.person;
    const opened = await host.call("hap_create_ticket", command);
    expect(opened.structuredContent).toMatchObject({ status: "open", state: "PENDING", to: "human:alex" });
    const waiting = host.call("hap_wait", { ticket_id: idOf(opened) });
    await person.show(idOf(opened));
    await person.approve(idOf(opened), "Mind the cache");
    const ended = await waiting;
    expect(ended.structuredContent).toMatchObject({
      status: "approved",
      comment: "Mind the cache",
      next: "Do exactly what was asked, once.",
    });
    expect(textOf(ended)).toContain("They said: Mind the cache");
    expect((await person.getTicket(idOf(opened))).heard_at).not.toBeNull();
  });

  test("[MCP-WAIT-1] is told that the wait goes on, and is never held for a minute", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const id = idOf(await host.call("hap_create_ticket", command));
    const told: string[] = [];
    const waited = await host.call("hap_wait", { ticket_id: id, timeout_seconds: 0.2 }, ({ message }) =>
      told.push(message ?? ""),
    );
    expect(waited.structuredContent).toMatchObject({ status: "open" });
    expect(told[0]).toBe(`Waiting for human:alex to decide ${id}`);
    const refused = await host.call("hap_wait", { ticket_id: id, timeout_seconds: 55 });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain("timeout_seconds: must be at most 50; call hap_wait again to wait longer (got 55)");
  });

  test("[MCP-REVISIONS-1] reads, lists, follows and withdraws tickets of its own", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const id = idOf(await host.call("hap_create_ticket", { ...command, environment: "staging", ttl_seconds: 60 }));
    const ticket = (await host.call("hap_get_ticket", { ticket_id: id })).structuredContent as unknown as Ticket;
    expect(ticket).toMatchObject({ id, from: "agent:ci", intent: { details: { command: "make clean" } } });
    expect((await host.call("hap_request_status", { ticket_id: id })).structuredContent).toMatchObject({ status: "open" });
    const listed = (await host.call("hap_list_pending", {})).structuredContent as { tickets: { ticket_id: string }[] };
    expect(listed.tickets.map((row) => row.ticket_id)).toEqual([id]);
    const withdrawn = await host.call("hap_cancel_ticket", { ticket_id: id, reason: "The code changed" });
    expect(withdrawn.structuredContent).toMatchObject({ status: "canceled" });
    expect(textOf(withdrawn)).toContain("The code changed");
    expect((await host.call("hap_list_pending", {})).structuredContent).toMatchObject({ tickets: [] });
    const again = await host.call("hap_cancel_ticket", { ticket_id: id });
    expect(again.isError).toBe(true);
    expect(errorOf(again)).toMatchObject({ code: "already_decided" });
  });

  test("[MCP-OWN-1] finds nothing of another agent's", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const other = await connectHost(
      revision,
      Object.assign(Object.create(world), { env: { ...world.env, HAP_AGENT_ID: "agent:other" } }),
    );
    const id = idOf(await host.call("hap_create_ticket", command));
    for (const tool of ["hap_get_ticket", "hap_wait", "hap_cancel_ticket", "hap_approve_ticket", "hap_request_status"]) {
      const refused = await other.call(tool, { ticket_id: id });
      expect(refused.isError).toBe(true);
      expect(errorOf(refused)).toMatchObject({ code: "ticket_not_found" });
    }
    await expect(other.read(`hap://tickets/${id}`)).rejects.toThrow(/not found/i);
    expect(await other.read("hap://tickets/all")).toMatchObject({ tickets: [] });
    expect(await other.read("hap://events")).toEqual([]);
  });

  test("[MCP-RESOURCES-1] reads the three resources and one ticket as JSON", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    expect(await host.resources()).toEqual(["hap://tickets/pending", "hap://tickets/all", "hap://events"]);
    const id = idOf(await host.call("hap_create_ticket", command));
    await (await world.person).show(id);
    await (await world.person).reject(id, "Not now");
    expect(await host.read("hap://tickets/pending")).toEqual({ tickets: [], next: null });
    expect(await host.read("hap://tickets/all")).toMatchObject({ tickets: [{ id, state: "REJECTED" }] });
    expect(await host.read(`hap://tickets/${id}`)).toMatchObject({ id, resolution: { comment: "Not now" } });
    const events = (await host.read("hap://events")) as { type: string; cursor: string }[];
    expect(events.map(({ type }) => type)).toEqual(["ticket.create", "ticket.state_change", "intent.sign", "ticket.resolve"]);
    expect(await host.read(`hap://events?after=${encodeURIComponent(events[2]?.cursor ?? "")}`)).toHaveLength(1);
    await expect(host.read("hap://tickets/elsewhere")).rejects.toThrow(/not found/i);
  });

  test("[MCP-SUBSCRIBE-1] is told when a ticket changes", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const id = idOf(await host.call("hap_create_ticket", command));
    const changed: string[] = [];
    await host.subscribe(`hap://tickets/${id}`, (uri) => changed.push(uri));
    // Until the watcher has looked once, there is nothing to compare with: change it until it notices.
    const person = await world.person;
    await person.show(id);
    await until(async () => {
      await person.note(id, "still looking");
      return changed.length > 0;
    });
    expect(new Set(changed)).toEqual(new Set([`hap://tickets/${id}`]));
  });

  test("[MCP-ERRORS-1] reads what is wrong with its input, by field", async () => {
    const host = await connectHost(revision, new McpWorld());
    // With the list at hand, the SDK's client checks each result against the tool's output schema.
    await host.tools();
    const cases: [string, Record<string, unknown>, string][] = [
      ["hap_create_ticket", { kind: "deploy" }, "summary"],
      ["hap_create_ticket", { ...command, on_timeout: "approve" }, "on_timeout"],
      ["hap_create_ticket", { ...command, lease: { on_timeout: "approve" } }, "lease.on_timeout"],
      ["hap_create_ticket", { ...command, lines_added: -1 }, "lines_added"],
      ["hap_create_ticket", { ...command, intent: { kind: "deploy" } }, "kind is given twice"],
      ["hap_create_ticket", { ...command, to: "Alex Smith!" }, "to"],
      ["hap_ask", { question: "Which?", type: "choice" }, "options"],
      ["hap_wait", {}, "ticket_id"],
      ["hap_list_pending", { limit: 1000 }, "limit"],
    ];
    for (const [tool, input, field] of cases) {
      const refused = await host.call(tool, input);
      expect(refused.isError, JSON.stringify(input)).toBe(true);
      expect(textOf(refused)).toContain(field);
      // A client of SDK 1.x checks structured content of an error too, and throws when it does not fit the output schema.
      expect(refused.structuredContent).toBeUndefined();
      expect(errorOf(refused)).toMatchObject({ code: expect.stringMatching(/^invalid_(input|id)$/) });
      expect(textOf(refused)).toMatch(/ \(invalid_(input|id)\)$/);
    }
    await expect(host.call("hap_decide", {})).rejects.toThrow(/There is no tool hap_decide/);
  });

  test("[MCP-UNKNOWN-1] gives the draft's own fields, and hears which fields are ignored", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const opened = await host.call("hap_create_ticket", {
      ...{ summary: "Refactor", kind: "modify_file", file: "a.ts", lines_added: 12, lines_removed: 5 },
      lease: { ttl_seconds: 120, on_timeout: "cancel", escalate: { to: ["human:sam"], max_depth: 1 } },
      artifact: { environment: "prod" },
      ...{ urgent: true, enviroment: "dev" },
    });
    expect(textOf(opened)).toContain("Ignored, because hap_create_ticket has no such field: urgent, enviroment.");
    const person = await world.person;
    expect(await person.getTicket(idOf(opened))).toMatchObject({
      intent: { details: { file: "a.ts", lines_added: 12, lines_removed: 5 } },
      artifact: { environment: "prod" },
      lease: { ttl_seconds: 120, on_timeout: "cancel", escalate: { to: ["human:sam"] } },
    });
    const other = await host.call("hap_create_ticket", { ...command, escalate_to: "human:sam" });
    expect(await person.getTicket(idOf(other))).toMatchObject({ lease: { escalate: { to: ["human:sam"] } } });
    const acked = await host.call("hap_ack_ticket", { ticket_id: idOf(opened), note: "Reviewing now..." });
    expect(acked.isError).toBeUndefined();
    expect(JSON.stringify(await person.history(idOf(opened)))).toContain('"Reviewing now..."');
    const asked = await host.call("hap_ask", { question: "Which?", lease: { ttl_seconds: 90 }, hurry: 1 });
    expect(textOf(asked)).toContain("hap_ask has no such field: hurry.");
    expect(await person.getTicket(idOf(asked))).toMatchObject({ lease: { ttl_seconds: 90 } });
  });

  test("[ID-SHORT-1] tells the person a short code that names the ticket before it was shown", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const id = idOf(await host.call("hap_create_ticket", command));
    const [, code = ""] = /hap approve (\S+)/.exec(textOf(await host.call("hap_approve_ticket", { ticket_id: id }))) ?? [];
    expect(code).toHaveLength(6);
    const person = await world.person;
    expect((await person.getTicket(id)).state).toBe("PENDING");
    expect(await person.resolveId(code)).toMatchObject({ id });
  });

  test("[MCP-WORDS-1] is told that a timer's yes is no person's", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const opened = await host.call("hap_create_ticket", {
      summary: "Rename a variable",
      file: "a.ts",
      kind: "modify_file",
      // What nobody was shown cannot approve itself: long enough for a slow machine to show it.
      ttl_seconds: 6,
      on_timeout: "auto_approve",
    });
    await (await world.person).show(idOf(opened));
    const ended = await host.call("hap_wait", { ticket_id: idOf(opened), timeout_seconds: 30 });
    expect(ended.structuredContent).toMatchObject({ status: "approved_by_timer" });
    expect(textOf(ended)).toContain("No person said yes. Do not act on it");
  });
});
