// A request in the words of OpenAI's Chat Completions, as the many servers that imitate it read them.
import type { AssistantTurn, ImagePart, ModelRequest, TextPart, ToolResultPart, Turn } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { bareModelName } from "../capabilities.ts";

/** What is special about a server. */
export type ChatFlavour = {
  maxTokensField: "max_tokens" | "max_completion_tokens";
  reasoningEffort: boolean;
  streamOptions: boolean;
};

/** Under which name a server sent a thought, and its opaque details: it wants both back with the calls that follow. */
export type ChatThought = { wire: "chat"; field?: string; details?: unknown[] };

type Json = Record<string, unknown>;

export function chatBody(request: ModelRequest, flavour: ChatFlavour): Json {
  const messages: Json[] = request.system === "" ? [] : [{ role: "system", content: request.system }];
  for (const turn of request.turns) messages.push(...chatMessages(turn));
  return {
    model: request.model,
    messages,
    stream: true,
    ...(flavour.streamOptions && { stream_options: { include_usage: true } }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, input_schema }) => ({
        type: "function",
        function: { name, description, parameters: input_schema },
      })),
    }),
    ...(request.max_output_tokens !== undefined && { [flavour.maxTokensField]: request.max_output_tokens }),
    ...(flavour.reasoningEffort && given("reasoning_effort", openAiEffort(request))),
    ...(request.json_schema !== undefined && {
      response_format: { type: "json_schema", json_schema: { name: "answer", schema: request.json_schema } },
    }),
  };
}

/** OpenAI knows efforts where others count tokens; undefined leaves it to the model. */
export function openAiEffort({ effort, thinking, max_thinking_tokens: tokens, model }: ModelRequest): string | undefined {
  // Before GPT-5.1 a model could not stop thinking.
  if (thinking === "disabled") return /^gpt-5(-|$)/.test(bareModelName(model)) ? "minimal" : "none";
  if (effort !== undefined) return effort === "max" ? "xhigh" : effort;
  return tokens === undefined ? undefined : tokens <= 4096 ? "low" : tokens <= 16_384 ? "medium" : "high";
}

/** A field with a value, or none. */
export const given = (name: string, value: unknown): Json => (value === undefined ? {} : { [name]: value });

export const dataUrl = ({ media_type, data }: ImagePart) => `data:${media_type};base64,${data}`;

function chatMessages(turn: Turn): Json[] {
  if (turn.role === "assistant") return [assistantMessage(turn)];
  const results = turn.content.filter((part) => part.type === "tool_result");
  const said = turn.content.filter((part) => part.type !== "tool_result");
  // A tool message takes text only: the pictures of results come with the words of the user, after all results.
  const pictures = results.flatMap(({ content }) => content.filter((part) => part.type === "image"));
  const messages = results.map(toolMessage);
  const rest = [...pictures, ...said];
  return rest.length > 0 ? [...messages, { role: "user", content: userContent(rest) }] : messages;
}

function toolMessage({ tool_use_id, content, is_error }: ToolResultPart): Json {
  const text = content.map((part) => (part.type === "text" ? part.text : "[picture: see below]")).join("\n");
  return { role: "tool", tool_call_id: tool_use_id, content: is_error ? `Error: ${text}` : text };
}

function userContent(parts: (TextPart | ImagePart)[]): string | Json[] {
  if (parts.every((part) => part.type === "text")) return parts.map(({ text }) => text).join("\n\n");
  return parts.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : part.media_type === "application/pdf"
        ? { type: "file", file: { filename: "document.pdf", file_data: dataUrl(part) } }
        : { type: "image_url", image_url: { url: dataUrl(part) } },
  );
}

function assistantMessage({ content }: AssistantTurn): Json {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const calls = content.filter((part) => part.type === "tool_use");
  const message: Json = { role: "assistant", content: text === "" ? null : text };
  if (calls.length === 0) return text === "" ? { ...message, content: "" } : message;
  message.tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  for (const part of content) {
    if (part.type !== "thinking" || !isChatThought(part.replay)) continue;
    if (part.replay.field !== undefined) message[part.replay.field] = `${message[part.replay.field] ?? ""}${part.thinking}`;
    if (part.replay.details !== undefined) message.reasoning_details = part.replay.details;
  }
  return message;
}

const isChatThought = (replay: unknown): replay is ChatThought => isObject(replay) && replay.wire === "chat";
