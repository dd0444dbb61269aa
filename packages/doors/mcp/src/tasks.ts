// A ticket as a task (io.modelcontextprotocol/tasks): its id is the ticket's, and its result is how the ticket ended.
import { isOpen, once, type Ticket } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk/agent";
import type { CallToolResult, Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Face } from "./face.ts";
import { describeStatus, statusResult } from "./ticket-words.ts";

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

const taskId = once(() => z.looseObject({ taskId: z.string() }));

/** Serve tasks/get, tasks/update and tasks/cancel. Others' tickets are as good as absent. */
export function serveTasks(server: Server, face: Face, asErrors: <T>(work: () => Promise<T>) => Promise<T>): void {
  const forOwn =
    (work: (client: AgentClient, id: string) => Promise<Record<string, unknown>>) =>
    (params: z.infer<ReturnType<typeof taskId>>) =>
      asErrors(async () => work(await face.client(), params.taskId));
  server.setRequestHandler(
    "tasks/get",
    { params: taskId() },
    forOwn(async (client, id) => {
      const ticket = await client.getTicket(id);
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
