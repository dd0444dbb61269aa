// A request in the words of Anthropic's Messages. What stays the same between turns is marked for its cache.
import type { AssistantTurn, ImagePart, ModelRequest, TextPart, Turn, UserTurn } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";

type Json = Record<string, unknown>;

/** A thought with its signature, or one that came encrypted. */
export type AnthropicThought = { wire: "anthropic"; signature?: string; redacted?: string };

const cached = { cache_control: { type: "ephemeral" } };
/** The API refuses smaller budgets. */
const leastThinkingTokens = 1024;

export function anthropicBody(request: ModelRequest, mostOutputTokens: number): Json {
  const maxTokens = Math.min(request.max_output_tokens ?? mostOutputTokens, mostOutputTokens);
  const budget = request.thinking === "disabled" ? 0 : Math.min(request.max_thinking_tokens ?? 0, maxTokens - 1);
  const adapts = request.thinking === "adaptive" || (request.effort !== undefined && request.thinking !== "disabled");
  const messages = request.turns.map(message).filter(({ content }) => Array.isArray(content) && content.length > 0);
  const lastBlock = (messages.at(-1)?.content as Json[] | undefined)?.at(-1);
  if (lastBlock !== undefined) Object.assign(lastBlock, cached);
  return {
    model: request.model,
    max_tokens: maxTokens,
    stream: true,
    ...(request.system !== "" && { system: [{ type: "text", text: request.system, ...cached }] }),
    messages,
    ...(request.tools.length > 0 && { tools: request.tools }),
    ...(budget >= leastThinkingTokens
      ? { thinking: thinks(request.model, budget) }
      : adapts && !takesBudget(request.model) && { thinking: thinks(request.model, budget) }),
    ...outputConfig(request),
  };
}

/** From Sonnet 4.6 and Opus 4.6 on, a model finds its own measure and takes no budget. */
const takesBudget = (model: string) => /claude-(3|(haiku|sonnet|opus)-4(-[0-5])?(-20|$))/.test(model);

const thinks = (model: string, budget: number): Json =>
  takesBudget(model) ? { type: "enabled", budget_tokens: budget } : { type: "adaptive", display: "summarized" };

/** Models that take a budget know no effort. */
function outputConfig({ json_schema, effort, model }: ModelRequest): Json {
  const config = {
    ...(json_schema !== undefined && { format: { type: "json_schema", schema: json_schema } }),
    ...(effort !== undefined && !takesBudget(model) && { effort }),
  };
  return Object.keys(config).length > 0 ? { output_config: config } : {};
}

const message = (turn: Turn): Json => ({
  role: turn.role,
  content: turn.role === "user" ? userBlocks(turn) : assistantBlocks(turn),
});

function userBlocks({ content }: UserTurn): Json[] {
  // Results come first, or the API refuses the turn.
  const results = content.filter((part) => part.type === "tool_result");
  const said = content.filter((part) => part.type !== "tool_result");
  return [
    ...results.map(({ tool_use_id, content: blocks, is_error }) => ({
      type: "tool_result",
      tool_use_id: safeId(tool_use_id),
      content: blocks.flatMap(block),
      ...(is_error && { is_error }),
    })),
    ...said.flatMap(block),
  ];
}

/** The ids of other providers have characters that this API refuses. */
const safeId = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, "_");

/** Empty text is refused by the API, so it is left out. */
function block(part: TextPart | ImagePart): Json[] {
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
  const type = part.media_type === "application/pdf" ? "document" : "image";
  return [{ type, source: { type: "base64", media_type: part.media_type, data: part.data } }];
}

function assistantBlocks({ content }: AssistantTurn): Json[] {
  return content.flatMap((part): Json[] => {
    if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    if (part.type === "tool_use") return [{ type: "tool_use", id: safeId(part.id), name: part.name, input: part.input }];
    // A thought without a signature of this provider would be refused.
    if (!isAnthropicThought(part.replay)) return [];
    if (part.replay.redacted !== undefined) return [{ type: "redacted_thinking", data: part.replay.redacted }];
    return [{ type: "thinking", thinking: part.thinking, signature: part.replay.signature ?? "" }];
  });
}

const isAnthropicThought = (replay: unknown): replay is AnthropicThought => isObject(replay) && replay.wire === "anthropic";
