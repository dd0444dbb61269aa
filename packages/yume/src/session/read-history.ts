// A history that a host keeps itself: a JSON array of messages, an object with `messages`, or one message a line; flat
// `{role, content}` or nested `{type, message}`. Pure.
import type { AssistantTurn, ImagePart, TextPart, Turn, UserTurn } from "../model/types.ts";
import { YumeError } from "../yume-error.ts";
import { repairTurns } from "./repair-turns.ts";

type Loose = Record<string, unknown>;

/** Turns from a history file's text; a message that cannot be read is an error that names it. */
export function readHistory(text: string, path: string): Turn[] {
  const messages = readMessages(text, path);
  const turns = messages.flatMap((message, index) => {
    const turn = toTurn(message, `message ${index + 1} of ${path}`);
    return turn === null ? [] : [turn];
  });
  return repairTurns(joinAssistants(turns));
}

/** Claude's transcripts have one line a block: neighbours of the model are one message. */
function joinAssistants(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (turn.role === "assistant" && last?.role === "assistant")
      joined[joined.length - 1] = { role: "assistant", content: [...last.content, ...turn.content] };
    else joined.push(turn);
  }
  return joined;
}

function readMessages(text: string, path: string): unknown[] {
  if (text.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
    if (isObject(value) && Array.isArray(value.messages)) return value.messages;
    if (isObject(value) && Array.isArray(value.turns)) return value.turns;
    if (isObject(value)) return [value];
  } catch {
    return text.split(/\r?\n/).flatMap((line, index) => {
      if (line.trim() === "") return [];
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        throw new YumeError("history", `Line ${index + 1} of the history file ${path} is not JSON.`);
      }
    });
  }
  throw new YumeError("history", `The history file ${path} must hold messages: an array, {"messages": [...]}, or one a line.`);
}

function toTurn(value: unknown, where: string): Turn | null {
  if (!isObject(value)) throw new YumeError("history", `${where} is not an object.`);
  const inner = isObject(value.message) ? value.message : value;
  const role = inner.role ?? value.type;
  // System frames, results and the like are no part of a conversation.
  if (role !== "user" && role !== "assistant") return null;
  const blocks = typeof inner.content === "string" ? [{ type: "text", text: inner.content }] : inner.content;
  if (!Array.isArray(blocks))
    throw new YumeError("history", `${where} has no content: a string or a list of blocks was expected.`);
  return role === "user"
    ? { role, content: blocks.flatMap((block) => userPart(block, where)) }
    : { role, content: blocks.flatMap((block) => assistantPart(block, where)) };
}

function userPart(block: unknown, where: string): UserTurn["content"] {
  if (!isObject(block)) throw new YumeError("history", `${where} has a block that is not an object.`);
  if (block.type === "tool_result" && typeof block.tool_use_id === "string")
    return [
      {
        type: "tool_result",
        tool_use_id: block.tool_use_id,
        content: plainParts(block.content),
        is_error: block.is_error === true,
      },
    ];
  return plainParts([block]);
}

/** Text and images; other blocks are left out. */
export function plainParts(content: unknown): (TextPart | ImagePart)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block): (TextPart | ImagePart)[] => {
    if (!isObject(block)) return [];
    if (block.type === "text" && typeof block.text === "string") return [{ type: "text", text: block.text }];
    const source = isObject(block.source) ? block.source : block;
    if (block.type === "image" && typeof source.data === "string" && typeof source.media_type === "string")
      return [{ type: "image", media_type: source.media_type, data: source.data }];
    return [];
  });
}

function assistantPart(block: unknown, where: string): AssistantTurn["content"] {
  if (!isObject(block)) throw new YumeError("history", `${where} has a block that is not an object.`);
  if (block.type === "text" && typeof block.text === "string") return [{ type: "text", text: block.text }];
  if (block.type === "tool_use" && typeof block.id === "string" && typeof block.name === "string" && isObject(block.input))
    return [
      {
        type: "tool_use",
        id: block.id,
        name: block.name,
        input: block.input,
        ...(block.replay === undefined ? {} : { replay: block.replay }),
      },
    ];
  return [];
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
