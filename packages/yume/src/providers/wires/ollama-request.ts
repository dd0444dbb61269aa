// A request in the words of Ollama's own API.
import type { AssistantTurn, ImagePart, ModelRequest, Turn, UserTurn } from "../../model/types.ts";

type Json = Record<string, unknown>;

/** `window`: Ollama cuts off silently what does not fit into its context, which is small unless one asks for more. */
export function ollamaBody(request: ModelRequest, window: number): Json {
  const names = new Map<string, string>();
  const messages: Json[] = request.system === "" ? [] : [{ role: "system", content: request.system }];
  for (const turn of request.turns) messages.push(...turnMessages(turn, names));
  return {
    model: request.model,
    messages,
    stream: true,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, input_schema }) => ({
        type: "function",
        function: { name, description, parameters: input_schema },
      })),
    }),
    ...thinks(request),
    ...(request.json_schema !== undefined && { format: request.json_schema }),
    options: {
      num_ctx: window,
      ...(request.max_output_tokens !== undefined && { num_predict: request.max_output_tokens }),
    },
  };
}

/** gpt-oss takes levels, other models yes or no. */
function thinks({ model, effort, thinking, max_thinking_tokens: tokens }: ModelRequest): Json {
  if (thinking === "disabled") return { think: false };
  if (effort !== undefined)
    return { think: /gpt-oss/.test(model) ? (effort === "low" || effort === "medium" ? effort : "high") : true };
  return tokens === undefined ? {} : { think: tokens > 0 };
}

function turnMessages(turn: Turn, names: Map<string, string>): Json[] {
  return turn.role === "assistant" ? [assistantMessage(turn, names)] : userMessages(turn, names);
}

function assistantMessage({ content }: AssistantTurn, names: Map<string, string>): Json {
  const calls = content.filter((part) => part.type === "tool_use");
  for (const { id, name } of calls) names.set(id, name);
  const thinking = content.flatMap((part) => (part.type === "thinking" ? [part.thinking] : [])).join("");
  return {
    role: "assistant",
    content: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    ...(calls.length > 0 && {
      // Only within a chain of calls does a thought still matter.
      ...(thinking !== "" && { thinking }),
      tool_calls: calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } })),
    }),
  };
}

const NO_PDF = "[a PDF, which cannot be sent to this model]";
const isPdf = ({ media_type }: ImagePart) => media_type === "application/pdf";

function userMessages({ content }: UserTurn, names: Map<string, string>): Json[] {
  const messages: Json[] = [];
  const said: string[] = [];
  const images: string[] = [];
  for (const part of content) {
    if (part.type === "text") said.push(part.text);
    else if (part.type === "image" && isPdf(part)) said.push(NO_PDF);
    else if (part.type === "image") images.push(part.data);
    else {
      const text = part.content
        .flatMap((inner) => (inner.type === "text" ? [inner.text] : isPdf(inner) ? [NO_PDF] : []))
        .join("\n");
      const pictures = part.content.flatMap((inner) => (inner.type === "image" && !isPdf(inner) ? [inner.data] : []));
      messages.push({
        role: "tool",
        tool_name: names.get(part.tool_use_id) ?? "",
        tool_call_id: part.tool_use_id,
        content: part.is_error ? `Error: ${text}` : text,
        ...(pictures.length > 0 && { images: pictures }),
      });
    }
  }
  if (said.length + images.length > 0)
    messages.push({ role: "user", content: said.join("\n\n"), ...(images.length > 0 && { images }) });
  return messages;
}
