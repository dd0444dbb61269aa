// hap chat: each agent as a conversation (D26). List, open, answer, queue words, send files, say the same to a group.
import { resolve } from "node:path";
import { HapError, isOpen } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { readAttachments } from "../input/attachments.ts";
import { parseNumber } from "../input/number.ts";
import { examples, subcommand } from "../program.ts";
import { chatTable } from "../show/chat-table.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";
import { timeline } from "../show/timeline.ts";
import { answer } from "./answer.ts";

type Group = { project?: string; runtime?: string; all?: true };
type Words = { attach?: string[] };

export function define(command: Command, context: Context): void {
  command
    .description("Conversations with your agents. AGENT is its name, or the beginning of it. Without a word: the list.")
    .addHelpText("after", examples("hap chat", "hap chat open tobarilu", 'hap chat queue tobarilu "then run the tests"'))
    .action(() => list(context, {}));
  inGroup(subcommand(command, "list"))
    .description("Agents that joined, last seen first: how many questions wait for an answer, how many words wait for them.")
    .addHelpText("after", examples("hap chat list", "hap chat list --project . --json"))
    .action((options: Group) => list(context, options));
  subcommand(command, "open")
    .description("The conversation with one agent, oldest first. Opening it delivers what it asks you.")
    .argument("<AGENT>", "the agent")
    .option("--limit <N>", "how many questions, at most", "20")
    .addHelpText("after", examples("hap chat open tobarilu", "hap chat open tobarilu --limit 5"))
    .action((agent: string, options: { limit: string }) => open(context, agent, options.limit));
  subcommand(command, "answer")
    .description("Answer the oldest question that an agent asks you now, as `hap answer` does.")
    .argument("<AGENT>", "the agent")
    .argument("[VALUE...]", "the answer")
    .option("--answer <JSON>", "a structured answer: JSON, @FILE or -")
    .option("--comment <TEXT>", "words beside the answer, for the agent")
    .option("--attach <FILE...>", "files to send along; the agent gets their paths")
    .addHelpText(
      "after",
      examples("hap chat answer tobarilu go on", "hap chat answer tobarilu --attach shot.png -- see the picture"),
    )
    .action((agent: string, values: string[], options: Words & { answer?: string; comment?: string }) =>
      answerAgent(context, agent, values, options),
    );
  subcommand(command, "queue")
    .description(
      "Leave words, or files, for an agent's next question. They are told at once when it asks in words, else with the answer.",
    )
    .argument("<AGENT>", "the agent")
    .argument("[WORDS...]", "the words")
    .option("--attach <FILE...>", "files to send")
    .addHelpText("after", examples('hap chat queue tobarilu "then run the tests"', "hap chat queue tobarilu --attach error.log"))
    .action((agent: string, words: string[], options: Words) => queue(context, agent, words, options));
  inGroup(subcommand(command, "broadcast"))
    .description("The same words to every agent of a group: an answer to a question in words that waits for you, else queued.")
    .argument("<WORDS...>", "the words")
    .addHelpText("after", examples('hap chat broadcast --project . "commit and stop"', 'hap chat broadcast --all "back at nine"'))
    .action((words: string[], options: Group) => broadcast(context, words, options));
  subcommand(command, "erase")
    .description(
      "Delete for good the words and files of one message, or what an agent said of itself. The log keeps that it was done.",
    )
    .argument("<WHAT>", "a message (msg_...) or an agent")
    .option("--reason <TEXT>", "why")
    .addHelpText("after", examples("hap chat erase msg_... --reason 'held a password'", "hap chat erase tobarilu"))
    .action((what: string, options: { reason?: string }) => erase(context, what, options.reason));
}

function inGroup(command: Command): Command {
  return command
    .option("--project <FOLDER>", "agents that joined in this folder")
    .option("--runtime <NAME>", "agents of this runtime, such as claude_code")
    .option("--all", "agents that left, too (list); every agent (broadcast)");
}

async function list(context: Context, options: Group): Promise<void> {
  refuseAgent(context, "read other agents' conversations");
  await asPerson(context, async (client) => {
    const agents = await client.agents(groupOf(context, options, options.all === true));
    if (context.json) printJson(context, { agents });
    else if (agents.length === 0) context.out.line("No agent has joined. `cueme join <agent_runtime>` begins a conversation.");
    else context.out.line(chatTable(context, agents));
  });
}

function groupOf(context: Context, { project, runtime }: Group, everybody: boolean) {
  return {
    ...(project === undefined ? {} : { project: resolve(context.cwd, project) }),
    ...(runtime === undefined ? {} : { agent_runtime: runtime }),
    ...(everybody ? {} : { present: true }),
    limit: 200,
  };
}

async function open(context: Context, typed: string, limit: string): Promise<void> {
  refuseAgent(context, "read other agents' conversations");
  await asPerson(context, async (client) => {
    const agent = await resolveAgent(client, typed);
    const conversation = await client.conversation(agent, {
      limit: parseNumber(limit, "--limit", "a whole number, 1 or more") ?? 20,
    });
    if (context.json) printJson(context, conversation);
    else for (const line of timeline(styleOf(context), conversation)) context.out.line(line);
  });
}

async function answerAgent(
  context: Context,
  typed: string,
  values: readonly string[],
  options: Words & { answer?: string; comment?: string },
): Promise<void> {
  refuseAgent(context, "answer questions that are asked of a person");
  const files = readAttachments(options.attach ?? []);
  const id = await asPerson(context, async (client) => {
    const agent = await resolveAgent(client, typed);
    const { tickets } = await client.conversation(agent);
    const question = tickets.find((ticket) => isOpen(ticket.state) && ticket.to === client.person);
    if (question === undefined)
      throw new HapError(
        "ticket_not_found",
        `${agent} asks you nothing now. \`hap chat queue\` leaves words for its next question.`,
        {
          agent,
        },
      );
    // The files wait for the agent before the answer wakes it.
    if (files.length > 0) await client.queue(agent, { attachments: files });
    return question.id;
  });
  await answer(context, id, values, options);
}

async function queue(context: Context, typed: string, words: readonly string[], options: Words): Promise<void> {
  refuseAgent(context, "leave words in a person's name");
  const files = readAttachments(options.attach ?? []);
  await asPerson(context, async (client) => {
    const agent = await resolveAgent(client, typed);
    const message = await client.queue(agent, { text: words.join(" "), attachments: files });
    if (context.json) printJson(context, message);
    else context.out.line(`Queued for ${agent}: it is told at its next question. (${message.id})`);
  });
}

async function broadcast(context: Context, words: readonly string[], options: Group): Promise<void> {
  refuseAgent(context, "leave words in a person's name");
  if (options.project === undefined && options.runtime === undefined && options.all !== true)
    throw new HapError("invalid_input", "Say to whom: --project FOLDER, --runtime NAME, or --all.", { field: "--all" });
  await asPerson(context, async (client) => {
    const agents = await client.agents(groupOf(context, options, false));
    const sent = await client.broadcast(
      agents.map(({ agent }) => agent),
      words.join(" "),
    );
    if (context.json) return printJson(context, { sent });
    for (const { agent, how, ticket_id } of sent)
      context.out.line(`${agent}: ${how}${ticket_id === null ? "" : ` (${ticket_id})`}`);
    if (sent.length === 0) context.out.line("No agent of this group is there.");
  });
}

async function erase(context: Context, what: string, reason: string | undefined): Promise<void> {
  refuseAgent(context, "erase words");
  await asPerson(context, async (client) => {
    const target = what.startsWith("msg_") ? { message: what } : { agent: await resolveAgent(client, what) };
    const erased = await client.eraseConversation(target, reason);
    if (context.json) printJson(context, { erased });
    else context.out.line(`Erased ${erased.length} ${erased.length === 1 ? "text" : "texts"} of ${what}.`);
  });
}

/** A name, or the beginning of one, among the agents that are known. */
async function resolveAgent(client: PersonClient, typed: string): Promise<string> {
  const wanted = `agent:${typed.replace(/^agent:/, "")}`;
  const names = (await client.agents({ limit: 1000 })).map(({ agent }) => agent);
  if (names.includes(wanted)) return wanted;
  const found = names.filter((name) => name.startsWith(wanted));
  if (found.length === 1) return found[0] as string;
  if (found.length > 1)
    throw new HapError("ambiguous_id", `${typed} could be ${found.slice(0, 5).join(", ")}. Type more of the name.`, {
      agent: typed,
    });
  throw new HapError("agent_unknown", `No agent called ${typed} has joined. \`hap chat list --all\` shows those that did.`, {
    agent: typed,
  });
}
