// A ticket as a task (io.modelcontextprotocol/tasks): its id is the ticket's, and its result is how the ticket ended.
import { isOpen, once, parseAskerId, type Ticket } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk/agent";
import { takeTurn } from "@hap/sdk/conversation";
import type { CallToolResult, Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Face } from "./face.ts";
import { describeStatus, statusResult } from "./ticket-words.ts";
import { turnResult } from "./turn-result.ts";

const POLL_MS = 2000;

type Task = {
  taskId: string;
  status: "working" | "completed" | "cancelled";
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: null;
  pollIntervalMs: number;
};

function describeTask(ticket: Ticket): Task {
  const withdrawn = ticket.resolution?.outcome === "canceled" && ticket.resolution.actor.kind === "agent";
  return {
    taskId: ticket.id,
    status: isOpen(ticket.state) ? "working" : withdrawn ? "cancelled" : "completed",
    statusMessage: describeStatus(ticket).words,
    createdAt: ticket.created_at,
    lastUpdatedAt: ticket.updated_at,
    // Tickets are kept: the log forgets nothing.
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

/** What a tool returns instead of a result, where the client declared that it can follow tasks. */
export function taskResult(ticket: Ticket): CallToolResult {
  return { ...describeTask(ticket), resultType: "task" } as unknown as CallToolResult;
}

/** The same for a question of an agent that joined: the task's id names the agent, too, since it is another than the connection's. */
export async function cueTaskResult(client: AgentClient, ticket: Ticket): Promise<CallToolResult> {
  return { ...describeCue(client, await stillListening(client, ticket)), resultType: "task" } as unknown as CallToolResult;
}

function describeCue({ agent }: AgentClient, ticket: Ticket): Task {
  return { ...describeTask(ticket), taskId: `${agent.replace(/^agent:/, "")}${BETWEEN}${ticket.id}` };
}

/** Each poll of a task counts as a process that waits: the person sees that the question is listened to, and its lease lasts. */
async function stillListening(client: AgentClient, ticket: Ticket): Promise<Ticket> {
  const { remaining_seconds, ttl_seconds } = ticket.lease;
  if (remaining_seconds <= ttl_seconds / 2) await client.renew(ticket.id);
  return client.listen(ticket.id, true);
}

const BETWEEN = "/";

const taskId = once(() => z.looseObject({ taskId: z.string() }));

/** Serve tasks/get, tasks/update and tasks/cancel. Others' tickets are as good as absent. */
export function serveTasks(server: Server, face: Face, asErrors: <T>(work: () => Promise<T>) => Promise<T>): void {
  const forOwn =
    (work: (client: AgentClient, id: string, joined: boolean) => Promise<Record<string, unknown>>) =>
    (params: z.infer<ReturnType<typeof taskId>>) =>
      asErrors(async () => {
        const [id = "", name] = params.taskId.split(BETWEEN).reverse();
        if (name === undefined) return work(await face.client(), id, false);
        return work(await face.clientFor(parseAskerId(name, "taskId")), id, true);
      });
  server.setRequestHandler(
    "tasks/get",
    { params: taskId() },
    forOwn(async (client, id, joined) => {
      const ticket = await client.getTicket(id);
      if (joined) return getCue(client, ticket, face.filesInline);
      const task = describeTask(ticket);
      return task.status === "completed" ? { ...task, result: { ...statusResult(await client.heard(id)) } } : { ...task };
    }),
  );
  // A task of ours never asks its client for input: the person decides elsewhere. What comes is acknowledged and not used.
  server.setRequestHandler(
    "tasks/update",
    { params: taskId() },
    forOwn(async (client, id) => {
      await client.getTicket(id);
      return {};
    }),
  );
  server.setRequestHandler(
    "tasks/cancel",
    { params: taskId() },
    forOwn(async (client, id) => {
      const ticket = await client.getTicket(id);
      if (isOpen(ticket.state)) await client.cancel(id, "The client canceled the task.");
      return {};
    }),
  );
}

/** A question of an agent that joined; words that people queued meanwhile are told with its answer. */
async function getCue(client: AgentClient, ticket: Ticket, filesInline: boolean): Promise<Record<string, unknown>> {
  if (isOpen(ticket.state)) return { ...describeCue(client, await stillListening(client, ticket)) };
  const task = describeCue(client, ticket);
  if (task.status !== "completed") return { ...task };
  const turn = await takeTurn(client, { ticketId: ticket.id }, { timeoutMs: 0, saveFiles: !filesInline });
  const result = await turnResult(client, turn, "cueme_cue", filesInline);
  await turn.acknowledge();
  return { ...task, result };
}
