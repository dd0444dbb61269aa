// A request in the words of Gemini's generateContent. A signature goes back on the very part on which it came.
import type { AssistantTurn, Effort, ImagePart, ModelRequest, TextPart, Turn, UserTurn } from "../../model/types.ts";
import { isObject } from "../call-arguments.ts";
import { bareModelName } from "../capabilities.ts";

type Json = Record<string, unknown>;

/** Where a signature came: on a thought, on a call, on the text before, or on an empty text of its own. */
export type GeminiReplay = { wire: "gemini"; signature?: string; on: "thought" | "call" | "text" | "alone"; id?: string };

/** Gemini 3 refuses calls of this conversation without a signature; this one says that another model made them. */
const noSignature = "skip_thought_signature_validator";

export function geminiBody(request: ModelRequest): Json {
  const names = new Map<string, string>();
  const demanding = /^gemini-([3-9]|[1-9][0-9])/.test(bareModelName(request.model));
  const contents = request.turns
    .map((turn) => content(turn, names, demanding))
    .filter(({ parts }) => (parts as Json[]).length > 0);
  const generationConfig: Json = {
    ...(request.max_output_tokens !== undefined && { maxOutputTokens: request.max_output_tokens }),
    ...(request.json_schema !== undefined && {
      responseMimeType: "application/json",
      responseJsonSchema: request.json_schema,
    }),
    ...thinkingConfig(request, demanding),
  };
  return {
    contents,
    ...(request.system !== "" && { systemInstruction: { parts: [{ text: request.system }] } }),
    ...(request.tools.length > 0 && {
      tools: [
        {
          functionDeclarations: request.tools.map(({ name, description, input_schema }) => ({
            name,
            description,
            parametersJsonSchema: input_schema,
          })),
        },
      ],
    }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
}

/** Tokens for an effort, where a model counts. */
const effortTokens: Record<Effort, number> = { low: 2_048, medium: 8_192, high: 24_576, xhigh: 32_768, max: 32_768 };

function thinkingConfig({ effort, thinking, max_thinking_tokens }: ModelRequest, levels: boolean): Json {
  if (thinking === "disabled") return { thinkingConfig: levels ? { thinkingLevel: "LOW" } : { thinkingBudget: 0 } };
  const tokens = effort === undefined ? max_thinking_tokens : effortTokens[effort];
  if (tokens === undefined) return thinking === "adaptive" ? { thinkingConfig: { includeThoughts: true } } : {};
  return { thinkingConfig: { includeThoughts: true, ...thinkingMeasure(tokens, levels) } };
}

/** From Gemini 3 on there are levels where there were budgets. */
const thinkingMeasure = (tokens: number, levels: boolean): Json =>
  levels ? { thinkingLevel: tokens <= 4096 ? "LOW" : "HIGH" } : { thinkingBudget: tokens };

function content(turn: Turn, names: Map<string, string>, demanding: boolean): Json {
  if (turn.role === "user") return { role: "user", parts: userParts(turn, names) };
  for (const part of turn.content) if (part.type === "tool_use") names.set(part.id, part.name);
  return { role: "model", parts: modelParts(turn, demanding) };
}

function userParts({ content: given }: UserTurn, names: Map<string, string>): Json[] {
  const results = given.filter((part) => part.type === "tool_result");
  const said = given.filter((part) => part.type !== "tool_result");
  return [
    ...results.map(({ tool_use_id, content: inner, is_error }) => {
      const text = inner.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      return {
        functionResponse: {
          name: names.get(tool_use_id) ?? "unknown",
          response: is_error ? { error: text } : { output: text },
        },
      };
    }),
    ...results.flatMap(({ content: inner }) => inner.filter((part) => part.type === "image").map(saidPart)),
    ...said.map(saidPart),
  ];
}

const saidPart = (part: TextPart | ImagePart): Json =>
  part.type === "text" ? { text: part.text } : { inlineData: { mimeType: part.media_type, data: part.data } };

function modelParts({ content: given }: AssistantTurn, demanding: boolean): Json[] {
  const parts: Json[] = [];
  let firstCall = true;
  for (const part of given) {
    if (part.type === "text") parts.push({ text: part.text });
    else if (part.type === "tool_use") {
      const signature = isGeminiReplay(part.replay) ? part.replay.signature : firstCall && demanding ? noSignature : undefined;
      firstCall = false;
      const functionCall = { name: part.name, args: part.input };
      parts.push(signature === undefined ? { functionCall } : { functionCall, thoughtSignature: signature });
    } else if (isGeminiReplay(part.replay)) {
      const { on, signature } = part.replay;
      const before = parts.at(-1);
      if (on === "text" && before !== undefined && "text" in before) before.thoughtSignature = signature;
      else if (on === "thought") parts.push({ text: part.thinking, thought: true, thoughtSignature: signature });
      else parts.push({ text: "", thoughtSignature: signature });
    }
  }
  return parts;
}

const isGeminiReplay = (replay: unknown): replay is GeminiReplay => isObject(replay) && replay.wire === "gemini";
