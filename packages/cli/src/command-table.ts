// Every command, its line in the help, and where its code is: only the one that is called is loaded.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** What the file of a command exports: it declares arguments and options, and says what they do. */
type CommandModule = { define: (command: Command, context: Context) => void | Promise<void> };
export type CommandEntry = { name: string; group: string; summary: string; load: () => Promise<CommandModule> };

const begin = "Begin:";
const decide = "Decide:";
const ask = "Ask (for agents and scripts):";
const time = "Time and people:";
const evidence = "Evidence:";
const server = "Server:";
const gate = "Gate:";
const more = "More:";

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "preview",
    group: begin,
    summary: "what HAP would have done in your past sessions",
    load: () => import("./commands/preview.ts"),
  },
  { name: "claude", group: begin, summary: "run Claude Code behind the gate", load: () => import("./commands/claude.ts") },
  { name: "codex", group: begin, summary: "run Codex behind the gate", load: () => import("./commands/codex.ts") },
  { name: "start", group: begin, summary: "start the inbox and open it, signed in", load: () => import("./commands/start.ts") },
  {
    name: "today",
    group: begin,
    summary: "calls, asks, decisions and rules of today",
    load: () => import("./commands/today.ts"),
  },
  {
    name: "insights",
    group: begin,
    summary: "who asks how often, how fast you decide, what was decided without you",
    load: () => import("./commands/insights.ts"),
  },
  {
    name: "inbox",
    group: decide,
    summary: "tickets waiting for you, most urgent first",
    load: () => import("./commands/inbox.ts"),
  },
  { name: "tui", group: decide, summary: "the inbox on the whole terminal, live", load: () => import("./commands/tui.ts") },
  {
    name: "list",
    group: decide,
    summary: "your open tickets, or any others, newest first",
    load: () => import("./commands/list.ts"),
  },
  { name: "show", group: decide, summary: "everything about one ticket", load: () => import("./commands/show.ts") },
  { name: "approve", group: decide, summary: "approve a ticket", load: () => import("./commands/approve.ts") },
  { name: "reject", group: decide, summary: "reject a ticket", load: () => import("./commands/reject.ts") },
  { name: "changes", group: decide, summary: "request changes", load: () => import("./commands/changes.ts") },
  { name: "answer", group: decide, summary: "answer a question", load: () => import("./commands/answer.ts") },
  { name: "chat", group: decide, summary: "conversations with your agents", load: () => import("./commands/chat.ts") },
  { name: "create", group: ask, summary: "open a ticket", load: () => import("./commands/create.ts") },
  { name: "wait", group: ask, summary: "wait until a ticket is decided", load: () => import("./commands/wait.ts") },
  { name: "cancel", group: ask, summary: "end an open ticket without a decision", load: () => import("./commands/cancel.ts") },
  { name: "note", group: ask, summary: "add a note to a ticket", load: () => import("./commands/note.ts") },
  {
    name: "bridge",
    group: ask,
    summary: "run an agent that asks by envelopes, and answer it",
    load: () => import("./commands/bridge.ts"),
  },
  { name: "hook", group: ask, summary: "answer a hook of Claude Code or Codex", load: () => import("./commands/hook.ts") },
  { name: "exec", group: ask, summary: "run a command once a person approved it", load: () => import("./commands/exec.ts") },
  { name: "run", group: ask, summary: "run the command of an approved ticket", load: () => import("./commands/run.ts") },
  { name: "apply", group: ask, summary: "apply the diff of an approved ticket", load: () => import("./commands/apply.ts") },
  { name: "resume", group: ask, summary: "decisions that were not picked up yet", load: () => import("./commands/resume.ts") },
  { name: "mcp", group: ask, summary: "serve MCP on standard input and output", load: () => import("./commands/mcp.ts") },
  { name: "github", group: ask, summary: "pull requests as tickets", load: () => import("./commands/github.ts") },
  { name: "ack", group: time, summary: "pause a ticket's timer while you review it", load: () => import("./commands/ack.ts") },
  { name: "extend", group: time, summary: "give a ticket more time", load: () => import("./commands/extend.ts") },
  {
    name: "snooze",
    group: time,
    summary: "hide a ticket from the inbox for a while",
    load: () => import("./commands/snooze.ts"),
  },
  { name: "reassign", group: time, summary: "assign a ticket to another person", load: () => import("./commands/reassign.ts") },
  { name: "events", group: evidence, summary: "the event log", load: () => import("./commands/events.ts") },
  { name: "verify", group: evidence, summary: "check the event log", load: () => import("./commands/verify.ts") },
  {
    name: "migrate",
    group: evidence,
    summary: "move the store to PostgreSQL, or back",
    load: () => import("./commands/migrate.ts"),
  },
  { name: "space", group: evidence, summary: "the spaces of a PostgreSQL database", load: () => import("./commands/space.ts") },
  { name: "backup", group: evidence, summary: "a verified copy of the store", load: () => import("./commands/backup.ts") },
  {
    name: "import-draft",
    group: evidence,
    summary: "import a store of the 0.1 draft",
    load: () => import("./commands/import-draft.ts"),
  },
  { name: "erase", group: evidence, summary: "delete a ticket's texts for good", load: () => import("./commands/erase.ts") },
  {
    name: "export-data",
    group: evidence,
    summary: "export everything stored about a person",
    load: () => import("./commands/export-data.ts"),
  },
  {
    name: "delete-human",
    group: evidence,
    summary: "delete a person; the log still verifies",
    load: () => import("./commands/delete-human.ts"),
  },
  {
    name: "policy",
    group: evidence,
    summary: "rules that answer for you: check, test, show, trust",
    load: () => import("./commands/policy.ts"),
  },
  {
    name: "grant",
    group: decide,
    summary: "let an agent do something for a while: create, preview, show, end",
    load: () => import("./commands/grant.ts"),
  },
  { name: "grants", group: decide, summary: "grants and denials in force", load: () => import("./commands/grants.ts") },
  {
    name: "credential",
    group: evidence,
    summary: "your keys: list, add-ssh, code, revoke",
    load: () => import("./commands/credential.ts"),
  },
  { name: "serve", group: server, summary: "the inbox and the API over HTTP", load: () => import("./commands/serve.ts") },
  { name: "health", group: server, summary: "whether a server is ready", load: () => import("./commands/health.ts") },
  { name: "login", group: server, summary: "sign in at a server, or show a code", load: () => import("./commands/login.ts") },
  { name: "logout", group: server, summary: "sign out at a server", load: () => import("./commands/logout.ts") },
  { name: "whoami", group: server, summary: "who you are, and where", load: () => import("./commands/whoami.ts") },
  { name: "people", group: server, summary: "who is who: roles and accounts", load: () => import("./commands/people.ts") },
  { name: "key", group: server, summary: "API keys for remote agents", load: () => import("./commands/key.ts") },
  {
    name: "webhook",
    group: server,
    summary: "send events to other programs",
    load: () => import("./commands/webhook.ts"),
  },
  { name: "push", group: server, summary: "keys for push notifications", load: () => import("./commands/push.ts") },
  {
    name: "init",
    group: gate,
    summary: "put the gate into the settings of Claude Code or Codex",
    load: () => import("./commands/init.ts"),
  },
  { name: "doctor", group: gate, summary: "prove that the gate is armed", load: () => import("./commands/doctor.ts") },
  { name: "version", group: more, summary: "the version, and what it runs on", load: () => import("./commands/version.ts") },
  { name: "tour", group: more, summary: "a short guided run", load: () => import("./commands/tour.ts") },
  { name: "man", group: more, summary: "manual pages", load: () => import("./commands/man.ts") },
  { name: "completion", group: more, summary: "completion for your shell", load: () => import("./commands/completion.ts") },
];

/** True for the name of a command. */
export function isCommand(name: string | undefined): name is string {
  return COMMANDS.some((entry) => entry.name === name);
}
