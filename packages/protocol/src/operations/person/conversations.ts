// Conversations: what people write to agents.
import { LIMITS } from "../../constants.ts";
import type { Conversation, QueueChange } from "../../conversation.ts";
import { operation } from "../operation.ts";
import type { NewMessage } from "../types.ts";

type QueueBody = { withdraw?: string; edit?: string; text?: string; order?: string[] };

const said = { tag: "conversations", who: "person" } as const;

/** Operations of people on conversations. */
export const conversationOperations = {
  /** The newest questions of an agent and the messages around them. What is shown of one's own is delivered (D8). */
  conversation: operation({
    ...said,
    id: "conversation",
    method: "GET",
    path: "/v1/agents/{agent}/conversation",
    summary: "The newest questions of an agent and the messages around them",
    input: (s) => s.object({ limit: s.whole(1, 200).optional() }),
    output: (s) => s.json<Conversation>(),
    answer: "A stretch of the conversation, oldest first",
    call: (agent: string, options: { limit?: number } = {}) => ({ agent, ...options }),
  }),
  /** Leave a message, or files, for an agent's next question. */
  queue: operation({
    ...said,
    id: "queueMessage",
    method: "POST",
    path: "/v1/agents/{agent}/messages",
    summary: "Leave a message, or files, for an agent's next question",
    input: (s) =>
      s.object({
        text: s.text(100_000).optional(),
        attachments: s
          .array(s.object({ name: s.text(200), media_type: s.text(100).optional(), data: s.base64() }))
          .max(LIMITS.attachmentsMax)
          .optional(),
      }),
    needsBody: true,
    maxBytes: 24 * 1024 * 1024,
    status: 201,
    output: (s) => s.message(),
    answer: "The message",
    call: (agent: string, message: NewMessage) => ({
      agent,
      text: message.text,
      attachments: message.attachments?.map(({ data, ...about }) => ({ ...about, data: toBase64(data) })),
    }),
  }),
  /** Withdraw, edit or reorder messages of one's own that wait for an agent; returns those that wait then. */
  changeQueue: operation({
    ...said,
    id: "changeQueue",
    method: "POST",
    path: "/v1/agents/{agent}/queue",
    summary: "Withdraw, edit or reorder messages of your own that wait for an agent",
    input: (s) =>
      s.object({
        withdraw: s.text(60).optional(),
        edit: s.text(60).optional(),
        text: s.text(100_000).optional(),
        order: s.array(s.text(60)).max(LIMITS.messagesPerTake).optional(),
      }),
    needsBody: true,
    output: (s) => s.object({ messages: s.array(s.message()) }),
    answer: "Your messages that wait then",
    call: (agent: string, change: QueueChange) => ({ agent, ...change }) as { agent: string } & QueueBody,
    give: "messages",
  }),
  /** Give an agent a label and put it into a group; null takes either away. */
  labelAgent: operation({
    ...said,
    id: "labelAgent",
    method: "POST",
    path: "/v1/agents/{agent}/label",
    summary: "Give an agent a label and put it into a group",
    input: (s) => s.object({ name: s.text(100).nullable(), group: s.text(100).nullable() }),
    needsBody: true,
    output: (s) => s.agentCard(),
    answer: "What is known of the agent",
    call: (agent: string, label: { name: string | null; group: string | null }) => ({ agent, ...label }),
  }),
  /** The same message to several agents: an answer where one's answer is awaited and text fits, else queued. */
  broadcast: operation({
    ...said,
    id: "broadcast",
    method: "POST",
    path: "/v1/broadcasts",
    summary: "The same message to several agents: an answer where one is awaited and text fits, else queued",
    input: (s) => s.object({ agents: s.array(s.text(80)).min(1).max(200), text: s.text(100_000) }),
    output: (s) => s.object({ sent: s.array(s.sent()) }),
    answer: "What became of it",
    call: (agents: readonly string[], text: string) => ({ agents: [...agents], text }),
    give: "sent",
  }),
  /** Delete for good the text and files of a message, or what an agent said of itself. */
  eraseConversation: operation({
    ...said,
    id: "eraseConversation",
    method: "POST",
    path: "/v1/conversations/erase",
    summary: "Delete for good the text and files of a message, or what an agent said of itself",
    input: (s) => s.object({ reason: s.comment(), message: s.text(60).optional(), agent: s.text(80).optional() }),
    needsBody: true,
    output: (s) => s.erased(),
    answer: "Which texts were erased",
    call: (what: { message: string } | { agent: string }, reason?: string) => ({ ...what, reason }),
    give: "erased",
  }),
};

/** Base64 in pieces: engines limit the number of arguments of a call. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
