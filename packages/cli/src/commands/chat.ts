// hap chat: each agent as a conversation (D26). List, open, answer, queue words, send files, say the same to a group.
import { resolve } from "node:path";
import { type AgentCard, HapError, isOpen, type Message, type QueueChange } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { readAttachments } from "../input/attachments.ts";
import { parseNumber } from "../input/number.ts";
import { examples, subcommand } from "../program.ts";
import { oneLine } from "../show/agent-text.ts";
import { chatTable } from "../show/chat-table.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";
import { timeline } from "../show/timeline.ts";
import { answer } from "./answer.ts";

type Group = { project?: string; runtime?: string; group?: string; all?: true };
type Words = { attach?: string[] };

export function define(command: Command, context: Context): void {
  command
    .description("Conversations with your agents. AGENT is its name, or the beginning of it. Without a subcommand: the list.")
    .addHelpText("after", examples("hap chat", "hap chat open tobarilu", 'hap chat queue tobarilu "then run the tests"'))
    .action(() => list(context, {}));
  inGroup(subcommand(command, "list"))
    .description("Agents that joined, last seen first, with the questions that wait for you and the messages queued for them.")
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
      "Queue a message, or files, for an agent. A text question is answered with it at once; otherwise the agent gets it with your next answer.",
    )
    .argument("<AGENT>", "the agent")
    .argument("[WORDS...]", "the words")
    .option("--attach <FILE...>", "files to send")
    .addHelpText("after", examples('hap chat queue tobarilu "then run the tests"', "hap chat queue tobarilu --attach error.log"))
    .action((agent: string, words: string[], options: Words) => queue(context, agent, words, options));
  subcommand(command, "queued")
    .description("List the messages queued for an agent, in delivery order.")
    .argument("<AGENT>", "the agent")
    .addHelpText("after", examples("hap chat queued tobarilu"))
    .action((agent: string) => changeQueue(context, agent, () => null));
  subcommand(command, "withdraw")
    .description("Withdraw a queued message of yours. The agent never sees it.")
    .argument("<AGENT>", "the agent")
    .argument("<MESSAGE>", "its number in `hap chat queued`, or msg_...")
    .addHelpText("after", examples("hap chat withdraw tobarilu 1"))
    .action((agent: string, message: string) => changeQueue(context, agent, (waiting) => ({ withdraw: pick(waiting, message) })));
  subcommand(command, "edit")
    .description("Edit a queued message of yours. It keeps its place.")
    .argument("<AGENT>", "the agent")
    .argument("<MESSAGE>", "its number in `hap chat queued`, or msg_...")
    .argument("<WORDS...>", "the new text")
    .addHelpText("after", examples('hap chat edit tobarilu 1 "run the slow tests too"'))
    .action((agent: string, message: string, words: string[]) =>
      changeQueue(context, agent, (waiting) => ({ edit: pick(waiting, message), text: words.join(" ") })),
    );
  subcommand(command, "move")
    .description("Move a queued message of yours to another place.")
    .argument("<AGENT>", "the agent")
    .argument("<MESSAGE>", "its number in `hap chat queued`, or msg_...")
    .argument("<PLACE>", "the place among your own, 1 for first")
    .addHelpText("after", examples("hap chat move tobarilu 3 1"))
    .action((agent: string, message: string, place: string) =>
      changeQueue(context, agent, (waiting) => ({ order: moved(waiting, pick(waiting, message), place) })),
    );
  subcommand(command, "label")
    .description("Give an agent a label and a group. Without either, both are removed.")
    .argument("<AGENT>", "the agent")
    .argument("[NAME]", "what you call it")
    .option("--group <NAME>", "the group, for `list` and `broadcast`")
    .addHelpText("after", examples('hap chat label tobarilu "Parser" --group compiler', "hap chat label tobarilu"))
    .action((agent: string, name: string | undefined, options: { group?: string }) => label(context, agent, name, options.group));
  inGroup(subcommand(command, "broadcast"))
    .description("Send a message to every agent of a group. It answers a waiting text question; otherwise it is queued.")
    .argument("<WORDS...>", "the message")
    .addHelpText("after", examples('hap chat broadcast --project . "commit and stop"', 'hap chat broadcast --all "back at nine"'))
    .action((words: string[], options: Group) => broadcast(context, words, options));
  subcommand(command, "erase")
    .description(
      "Delete the text and files of one message for good, or what an agent said about itself. The log records the deletion.",
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
    .option("--group <NAME>", "agents of this group (`hap chat label`)")
    .option("--all", "agents that left, too (list); every agent (broadcast)");
}

async function list(context: Context, options: Group): Promise<void> {
  refuseAgent(context, "read other agents' conversations");
  await asPerson(context, async (client) => {
    const agents = inNamed(await client.agents(groupOf(context, options, options.all === true)), options);
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

function inNamed(agents: readonly AgentCard[], { group }: Group): AgentCard[] {
  return agents.filter((card) => group === undefined || card.group === group);
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
  const { id, agent, queued } = await asPerson(context, async (client) => {
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
    const queued = files.length > 0 ? await client.queue(agent, { attachments: files }) : null;
    return { id: question.id, agent, queued };
  });
  try {
    await answer(context, id, values, options);
  } catch (error) {
    // Files of an answer that was not taken must not go with another one.
    if (queued !== null) await asPerson(context, (client) => client.changeQueue(agent, { withdraw: queued.id }));
    throw error;
  }
}

async function queue(context: Context, typed: string, words: readonly string[], options: Words): Promise<void> {
  refuseAgent(context, "leave words in a person's name");
  const files = readAttachments(options.attach ?? []);
  await asPerson(context, async (client) => {
    const agent = await resolveAgent(client, typed);
    const message = await client.queue(agent, { text: words.join(" "), attachments: files });
    if (context.json) printJson(context, message);
    else context.out.line(`Queued for the next question of ${agent}. (${message.id})`);
  });
}

async function broadcast(context: Context, words: readonly string[], options: Group): Promise<void> {
  refuseAgent(context, "leave words in a person's name");
  if ([options.project, options.runtime, options.group, options.all].every((one) => one === undefined))
    throw new HapError("invalid_input", "Say to whom: --project FOLDER, --runtime NAME, --group NAME, or --all.", {
      field: "--all",
    });
  await asPerson(context, async (client) => {
    const agents = inNamed(await client.agents(groupOf(context, options, false)), options);
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

/** List the queue of an agent, after the change if there is one. */
async function changeQueue(
  context: Context,
  typed: string,
  change: (waiting: readonly Message[], person: string) => QueueChange | null,
): Promise<void> {
  refuseAgent(context, "change a person's queued words");
  await asPerson(context, async (client) => {
    const agent = await resolveAgent(client, typed);
    const waiting = await waitingFor(client, agent);
    const wanted = change(waiting, client.person);
    if (wanted !== null) await client.changeQueue(agent, wanted);
    const messages = wanted === null ? waiting : await waitingFor(client, agent);
    if (context.json) return printJson(context, { messages });
    if (messages.length === 0) context.out.line(`Nothing is queued for ${agent}.`);
    for (const [at, message] of messages.entries())
      context.out.line(`${at + 1}. ${oneLine(message.text ?? "")}${filesOf(message)}  (${message.id}, ${message.from})`);
  });
}

async function waitingFor(client: PersonClient, agent: string): Promise<Message[]> {
  const { messages } = await client.conversation(agent);
  return messages
    .filter(({ taken_at, withdrawn_at }) => taken_at === null && withdrawn_at === null)
    .sort((a, b) => a.place - b.place);
}

function filesOf({ attachments }: Message): string {
  return attachments.map(({ name }) => ` [${oneLine(name)}]`).join("");
}

/** The id of a message that was typed as its number or as itself. */
function pick(waiting: readonly Message[], typed: string): string {
  if (typed.startsWith("msg_")) return typed;
  const found = /^[1-9][0-9]*$/.test(typed) ? waiting[Number(typed) - 1] : undefined;
  if (found !== undefined) return found.id;
  throw new HapError("message_unknown", `There is no message ${typed} in this queue. \`hap chat queued\` lists it.`, {
    message_id: typed,
  });
}

/** The ids of one person's waiting messages, with one of them at another place. */
function moved(waiting: readonly Message[], id: string, typed: string): string[] {
  const place = parseNumber(typed, "PLACE", "a whole number, 1 or more") ?? 1;
  const owner = waiting.find((message) => message.id === id)?.from;
  const own = waiting.filter(({ from }) => from === owner).map((message) => message.id);
  return own.filter((one) => one !== id).toSpliced(place - 1, 0, id);
}

async function label(context: Context, typed: string, name: string | undefined, group: string | undefined): Promise<void> {
  refuseAgent(context, "label agents in a person's name");
  await asPerson(context, async (client) => {
    const card = await client.labelAgent(await resolveAgent(client, typed), { name: name ?? null, group: group ?? null });
    if (context.json) return printJson(context, card);
    const said = [
      card.name === null ? "no label" : `label ${card.name}`,
      card.group === null ? "no group" : `group ${card.group}`,
    ];
    context.out.line(`${card.agent}: ${said.join(", ")}.`);
  });
}

/** A name, the beginning of one, or a person's label, among the agents that are known. */
async function resolveAgent(client: PersonClient, typed: string): Promise<string> {
  const wanted = `agent:${typed.replace(/^agent:/, "")}`;
  const cards = await client.agents({ limit: 500 });
  const names = cards.map(({ agent }) => agent);
  if (names.includes(wanted)) return wanted;
  const labelled = cards.filter(({ name }) => name?.toLowerCase() === typed.toLowerCase()).map(({ agent }) => agent);
  const found = labelled.length > 0 ? labelled : names.filter((name) => name.startsWith(wanted));
  if (found.length === 1) return found[0] as string;
  if (found.length > 1)
    throw new HapError("ambiguous_id", `${typed} could be ${found.slice(0, 5).join(", ")}. Type more of the name.`, {
      agent: typed,
    });
  throw new HapError("agent_unknown", `No agent called ${typed} has joined. \`hap chat list --all\` shows those that did.`, {
    agent: typed,
  });
}
