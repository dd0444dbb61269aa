// A request in the words of OpenAI's Responses. Nothing is stored there: thoughts come back encrypted and go with the history.
import type { AssistantTurn, ImagePart, ModelRequest, TextPart, ToolResultPart, Turn } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { canReason } from "../capabilities.ts";
import { dataUrl, given, openAiEffort } from "./openai-chat-request.ts";

type Json = Record<string, unknown>;

/** A reasoning item as it came. */
export type ResponsesThought = { wire: "responses"; item: Json };

/** Whether a message was a remark on the way or the answer; models do worse without it. */
export type ResponsesPhase = { wire: "responses"; phase: string };

export function responsesBody(request: ModelRequest): Json {
  const reasons = canReason(request.model);
  return {
    model: request.model,
    ...(request.system !== "" && { instructions: request.system }),
    input: request.turns.flatMap(items),
    stream: true,
    store: false,
    ...(reasons && {
      include: ["reasoning.encrypted_content"],
      reasoning: {
        summary: "auto",
        ...given("effort", openAiEffort(request)),
      },
    }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, input_schema }) => ({
        type: "function",
        name,
        description,
        parameters: input_schema,
        strict: false,
      })),
      parallel_tool_calls: true,
    }),
    ...(request.max_output_tokens !== undefined && { max_output_tokens: request.max_output_tokens }),
    ...(request.json_schema !== undefined && {
      text: { format: { type: "json_schema", name: "answer", schema: request.json_schema, strict: false } },
    }),
  };
}

function items(turn: Turn): Json[] {
  if (turn.role === "assistant") return assistantItems(turn);
  const results = turn.content.filter((part) => part.type === "tool_result");
  const said = turn.content.filter((part) => part.type !== "tool_result");
  return [...results.map(output), ...(said.length > 0 ? [{ type: "message", role: "user", content: said.map(input) }] : [])];
}

const input = (part: TextPart | ImagePart): Json =>
  part.type === "text"
    ? { type: "input_text", text: part.text }
    : part.media_type === "application/pdf"
      ? { type: "input_file", filename: "document.pdf", file_data: dataUrl(part) }
      : { type: "input_image", image_url: dataUrl(part), detail: "auto" };

function output({ tool_use_id, content, is_error }: ToolResultPart): Json {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const plain = `${is_error ? "Error: " : ""}${texts.join("\n")}`;
  const pictured = content.some(({ type }) => type === "image");
  return { type: "function_call_output", call_id: tool_use_id, output: pictured ? content.map(input) : plain };
}

function assistantItems({ content }: AssistantTurn): Json[] {
  return content.flatMap((part): Json[] => {
    if (part.type === "text")
      return part.text === ""
        ? []
        : [
            {
              type: "message",
              role: "assistant",
              content: [{ type: "output_text", text: part.text, annotations: [] }],
              ...(isPhase(part.replay) && { phase: part.replay.phase }),
            },
          ];
    if (part.type === "tool_use")
      return [{ type: "function_call", call_id: part.id, name: part.name, arguments: JSON.stringify(part.input) }];
    return isResponsesThought(part.replay) ? [part.replay.item] : [];
  });
}

const isResponsesThought = (replay: unknown): replay is ResponsesThought =>
  isObject(replay) && replay.wire === "responses" && isObject(replay.item);
const isPhase = (replay: unknown): replay is ResponsesPhase =>
  isObject(replay) && replay.wire === "responses" && typeof replay.phase === "string";
