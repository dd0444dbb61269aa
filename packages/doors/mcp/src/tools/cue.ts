// cueme_cue and cueme_pause: one turn of a conversation (D26). No call is held for a minute: before that, the model is told how to
// attach to the same question again. Where the client follows tasks, the question is a task instead.
import { type AskInput, HapError, isOpen, type Json, parseAskerId, parseJson } from "@hap/protocol";
import type { AgentClient } from "@hap/sdk/agent";
import { PAYLOAD_SHAPES, type Turn, type TurnInput, takeTurn, toAsk } from "@hap/sdk/conversation";
import type { ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { cueTaskResult } from "../tasks.ts";
import { turnResult, turnSchema } from "../turn-result.ts";
import { LONGEST_WAIT_SECONDS, waitSeconds } from "./inputs.ts";
import { withProgress } from "./progress.ts";
import { type ToolCall, type ToolResult, tool } from "./tool.ts";

const DEFAULT_PAUSE = "Paused. The agent goes on when you say how.";

const common = {
  agent_id: z.string().describe("Your id, from cueme_join."),
  ticket_id: z
    .string()
    .optional()
    .describe("Attach to this question of yours again, as an earlier call told you, instead of asking: leave the prompt out."),
  to: z.string().optional().describe("Whom to ask, human:name. Leave it out for the person at this machine."),
  wait_seconds: waitSeconds
    .optional()
    .describe(`How long to wait for the answer in this call. Default and most: ${LONGEST_WAIT_SECONDS}.`),
};

const AGAIN = `Waits at most ${LONGEST_WAIT_SECONDS} seconds a call. If status is "open" afterwards, call it again with the ticket_id that it returned, as often as needed; nothing is lost in between, and asking the same again finds the same question. Never make up an answer.`;
const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true };

export const cuemeCue = tool({
  name: "cueme_cue",
  title: "Ask your person and wait",
  description: `Tell your person what you did and what you need, and wait for their reply. Call it before every summary of a phase and before every final reply: a reply is complete only if your last act was a cueme_cue or cueme_pause that returned words. ${AGAIN} Prefer a payload over options written into the prompt. Images that the person sends come with the result.`,
  annotations,
  forPerson: false,
  input: z.object({
    ...common,
    prompt: z.string().optional().describe("What was done, and what you need. Any text, Markdown too."),
    payload: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .nullish()
      .describe(`What kind of answer you want: ${Object.values(PAYLOAD_SHAPES).join(" or ")}. Leave it out for words.`),
  }),
  output: turnSchema,
  run: ({ prompt, payload, ...given }, call) =>
    turn("cueme_cue", given, call, () => {
      if (prompt === undefined || prompt.trim() === "") throw empty();
      return { kind: "cue", prompt, ask: askOf(prompt, payload) };
    }),
});

export const cuemePause = tool({
  name: "cueme_pause",
  title: "Wait for your person",
  description: `Wait until your person says how to continue. ${AGAIN}`,
  annotations,
  forPerson: false,
  input: z.object({
    ...common,
    prompt: z.string().optional().describe("What to show the person. Default: that you are paused."),
  }),
  output: turnSchema,
  run: ({ prompt, ...given }, call) =>
    turn("cueme_pause", given, call, () => {
      const words = prompt === undefined || prompt.trim() === "" ? DEFAULT_PAUSE : prompt;
      return { kind: "pause", prompt: words, ask: toAsk(words, null) };
    }),
});

type Given = { agent_id: string; ticket_id?: string | undefined; to?: string | undefined; wait_seconds?: number | undefined };

async function turn(name: string, given: Given, call: ToolCall, question: () => TurnInput): Promise<ToolResult> {
  const input = given.ticket_id === undefined ? { ...question(), to: given.to } : { ticketId: given.ticket_id };
  const client = await call.face.clientFor(parseAskerId(given.agent_id.trim(), "agent_id"));
  const seconds = call.powers.tasks ? 0 : (given.wait_seconds ?? LONGEST_WAIT_SECONDS);
  const signal = gone(call.ctx);
  const saveFiles = !call.face.filesInline;
  const taken = await withProgress(call.ctx, seconds, "Waiting for your person's words", () =>
    converse(client, input, { timeoutMs: seconds * 1000, signal, saveFiles }),
  );
  if (call.powers.tasks && taken.outcome?.status === "open") return cueTaskResult(client, taken.ticket);
  const result = await turnResult(client, taken, name, call.face.filesInline);
  signal.throwIfAborted();
  // The last act before the result is sent: for a host that gave up, the same words are told again.
  await taken.acknowledge();
  return result;
}

/** A turn; words that were queued do not take the place of an answer that arrived in the same instant. */
async function converse(
  client: AgentClient,
  input: TurnInput | { ticketId: string },
  options: Parameters<typeof takeTurn>[2],
): Promise<Turn> {
  const taken = await takeTurn(client, input, options);
  if (taken.outcome !== null) return taken;
  const ticket = await client.getTicket(taken.ticket.id);
  return isOpen(ticket.state) ? taken : takeTurn(client, { ticketId: ticket.id }, options);
}

/** Aborts when the host canceled the call or its connection broke. */
function gone(ctx: ServerContext): AbortSignal {
  const request = ctx.http?.req?.signal;
  return request === undefined ? ctx.mcpReq.signal : AbortSignal.any([ctx.mcpReq.signal, request]);
}

/** Models also send the payload as JSON text. */
function askOf(prompt: string, payload: Record<string, unknown> | string | null | undefined): AskInput {
  const value = typeof payload === "string" && payload.trim() !== "" ? parseJson(payload, "payload") : payload || null;
  if (value === null) return toAsk(prompt, null);
  if (typeof value !== "object" || Array.isArray(value))
    throw new HapError("invalid_input", "payload must be a JSON object, or null.", { field: "payload" });
  return toAsk(prompt, value as Record<string, Json>);
}

function empty(): HapError {
  return new HapError(
    "invalid_input",
    "prompt is empty. Say what was done and what you need; or give the ticket_id of a question that you asked before.",
    { field: "prompt" },
  );
}
